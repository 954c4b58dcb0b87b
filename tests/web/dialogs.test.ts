import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const web = fileURLToPath(new URL('../../web', import.meta.url))
const views = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !file.startsWith('dist'))
  .map((file) => ({ file, text: readFileSync(`${web}/${file}`, 'utf8') }))

/** What Ctrl+Enter does in each dialog: the primary action, submitting the form, or nothing in a read-only dialog. */
const dialogs: Record<string, 'verb' | 'form' | 'read'> = {
  'bulk-operation/BulkOperationsDialog.tsx': 'read',
  'connection/CodeDialog.tsx': 'verb',
  'connection/CompanyConnections.tsx': 'read',
  'connection/HookDialog.tsx': 'verb',
  'connection/PagesDialog.tsx': 'verb',
  'contact-import/ImportContacts.tsx': 'verb',
  'contact/MergeDialog.tsx': 'verb',
  'data-request/DataRequests.tsx': 'read',
  'data-request/ErasePerson.tsx': 'form',
  'data-request/ExportPerson.tsx': 'verb',
  'file-list/SendFileList.tsx': 'verb',
  'history/Stored.tsx': 'read',
  'hours/ProposedHolidays.tsx': 'verb',
  'interactive/InteractiveDialog.tsx': 'verb',
  'report-filter/FilterList.tsx': 'read',
  'report-filter/WeeklyMail.tsx': 'read',
  'shell/Leaving.tsx': 'verb',
  'shell/NotSentList.tsx': 'read',
  'shell/Sheet.tsx': 'read',
  'tag/TagContacts.tsx': 'read',
  'template/TemplateDialog.tsx': 'verb',
  'ticket/dialogs/BusyDialog.tsx': 'verb',
  'ticket/dialogs/CameraDialog.tsx': 'verb',
  'ticket/dialogs/ForwardDialog.tsx': 'verb',
  'ticket/dialogs/LogDialog.tsx': 'read',
  'ticket/dialogs/NotesDialog.tsx': 'form',
  'ticket/dialogs/PeekDialog.tsx': 'read',
  'ticket/dialogs/PrintDialog.tsx': 'verb',
  'ticket/dialogs/QueueDialog.tsx': 'verb',
  'ticket/dialogs/SendContactDialog.tsx': 'verb',
  'ui/Confirm.tsx': 'verb',
  'ui/FormDialog.tsx': 'verb',
  'user/InviteDialog.tsx': 'read',
  'user/SignIns.tsx': 'read',
}
const verb = /<DialogFooter[\s\S]*intent=(?:"primary"|\{[^}]*'(?:primary|danger)')/

it('every dialog uses the shared dialog with Ctrl+Enter and without closing on outside clicks', () => {
  const shown = views.filter(({ file, text }) => file !== 'ui/Dialog.tsx' && /<Dialog[\s>]/.test(text)).map(({ file }) => file)
  expect(shown.toSorted()).toEqual(Object.keys(dialogs))
})
it.each(Object.entries(dialogs))('the dialog %s has the Ctrl+Enter action "%s"', (file, does) => {
  const { text } = views.find((one) => one.file === file)!
  expect(verb.test(text)).toBe(does === 'verb')
})
const viewsWith = (pattern: RegExp) =>
  views
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file)
    .toSorted()
it('only the picture viewer and the palette use their own overlay', () =>
  expect(viewsWith(/<Overlay[\s>]/)).toEqual(['shell/Palette.tsx', 'ticket/dialogs/ImageDialog.tsx']))

it('Back closes every overlay, because only three components use those of Blueprint', () => {
  const bases = ['ui/Dialog.tsx', 'ui/Overlay.tsx', 'ui/Popover.tsx']
  const overlays =
    /import \{[^}]*\b(?:Dialog|MultistepDialog|Alert|Drawer|Overlay2?|OverlayNext|Omnibar|Popover|PopoverNext|ContextMenu)\b[^}]*\} from '@blueprintjs/
  expect(viewsWith(overlays)).toEqual(bases)
  const closes = viewsWith(/<Dialog|<Overlay|<Popover|useBackCloses\(/)
  const own = viewsWith(/showModal\(|<dialog|role="(?:alert)?dialog"|aria-modal|css\.scrim/)
  expect(own.filter((file) => !closes.includes(file))).toEqual([])
  expect(bases.filter((file) => !viewsWith(/useBackCloses\(/).includes(file))).toEqual([])
})
