import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const web = fileURLToPath(new URL('../../web', import.meta.url))
const views = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !file.startsWith('dist'))
  .map((file) => ({ file, text: readFileSync(`${web}/${file}`, 'utf8') }))

/** What Ctrl+Enter does in each: presses what it is for, adds what was typed, or nothing, where there is only something to read. */
const dialogs: Record<string, 'verb' | 'form' | 'read'> = {
  'bulk-operation/BulkOperationsDialog.tsx': 'read',
  'connection/CodeDialog.tsx': 'verb',
  'connection/CompanyConnections.tsx': 'read',
  'connection/HookDialog.tsx': 'verb',
  'connection/PagesDialog.tsx': 'verb',
  'file-list/SendFileList.tsx': 'verb',
  'history/Stored.tsx': 'read',
  'hours/ProposedHolidays.tsx': 'verb',
  'interactive/InteractiveDialog.tsx': 'verb',
  'shell/Leaving.tsx': 'verb',
  'shell/NotSentList.tsx': 'read',
  'shell/Sheet.tsx': 'read',
  'tag/TagContacts.tsx': 'read',
  'template/TemplateDialog.tsx': 'verb',
  'ticket/dialogs/BusyDialog.tsx': 'verb',
  'ticket/dialogs/ForwardDialog.tsx': 'verb',
  'ticket/dialogs/LogDialog.tsx': 'read',
  'ticket/dialogs/NotesDialog.tsx': 'form',
  'ticket/dialogs/PeekDialog.tsx': 'read',
  'ticket/dialogs/PrintDialog.tsx': 'verb',
  'ticket/dialogs/QueueDialog.tsx': 'verb',
  'ui/Confirm.tsx': 'verb',
  'ui/FormDialog.tsx': 'verb',
  'user/InviteDialog.tsx': 'read',
}
const verb = /<DialogFooter[\s\S]*intent=(?:"primary"|\{[^}]*'(?:primary|danger)')/

it('opens every dialog by the one that knows Ctrl+Enter and closes by no click beside it', () => {
  const shown = views.filter(({ file, text }) => file !== 'ui/Dialog.tsx' && /<Dialog[\s>]/.test(text)).map(({ file }) => file)
  expect(shown.toSorted()).toEqual(Object.keys(dialogs))
  const others = /import \{[^}]*\b(?:Dialog|Alert|Drawer|MultistepDialog)\b[^}]*\} from '@blueprintjs\/core'/
  expect(views.filter(({ text }) => others.test(text)).map(({ file }) => file)).toEqual(['ui/Dialog.tsx'])
})
it.each(Object.entries(dialogs))('finds in %s what Ctrl+Enter does: %s', (file, does) => {
  const { text } = views.find((one) => one.file === file)!
  expect(verb.test(text)).toBe(does === 'verb')
})
it('lets only pictures and the palette, which hold nothing that could be lost, float by themselves', () => {
  expect(
    views
      .filter(({ text }) => /<Overlay2?[\s>]/.test(text))
      .map(({ file }) => file)
      .toSorted(),
  ).toEqual(['shell/Palette.tsx', 'ticket/dialogs/ImageDialog.tsx'])
})
