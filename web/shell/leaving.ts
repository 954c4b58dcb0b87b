import { atom } from 'jotai'
import { keptPlaces } from '#web/message/composer/cupboard.ts'
import { keptDrafts, keptUnder } from '#web/message/composer/drafts.ts'
import { hasLeft, unsent } from '#web/message/unsent.ts'
import { signOut, store, viewer } from '#web/session.ts'
import { templateDraftOf } from '#web/template/drafts.ts'

/** What somebody began and has not sent: to whom, as what, and how it begins. */
export type Begun = { ticketId: number; to: string; as: 'message' | 'note' | 'interactive' | 'template'; body: string }

/** Signing out waits for an answer: something of theirs would be lost by it. */
export const leavingAtom = atom(false)

/** Words and files that stand in composers, notes that are typed, and what is typed into dialogs that are opened again. */
export async function begun(): Promise<Begun[]> {
  const { id } = viewer()
  const drafts = keptDrafts(localStorage, id)
  const files = (await keptPlaces(id)).filter((ticketId) => !drafts.some((draft) => draft.ticketId === ticketId))
  const as = (what: Begun['as']) => (one: Pick<Begun, 'ticketId' | 'body'>) => ({ ...one, to: '', as: what })
  return [
    ...drafts.filter(({ body }) => body.trim() !== '').map((draft) => ({ ...draft, as: 'message' as const })),
    ...files.map((ticketId) => ({ ticketId, body: '' })).map(as('message')),
    ...keptUnder(localStorage, `draft-${id}-note-`).map(bodyOf).filter(hasWords).map(as('note')),
    ...interactiveDrafts(id).filter(hasWords).map(as('interactive')),
    ...templateDrafts().map(as('template')),
  ]
}
const bodyOf = ({ ticketId, text }: { ticketId: number; text: string }) => ({ ticketId, body: text })
const hasWords = ({ body }: Pick<Begun, 'body'>) => body.trim() !== ''

function interactiveDrafts(userId: number): Pick<Begun, 'ticketId' | 'body'>[] {
  return keptUnder(sessionStorage, `interactive-${userId}-`).map(({ ticketId, text }) => {
    const { typed } = JSON.parse(text) as { typed: Record<string, unknown> }
    return { ticketId, body: wordsIn({ ...typed, sendkey_type: '' }).join(' · ') }
  })
}
const wordsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value].filter((text) => text.trim() !== '') : Object.values(value ?? {}).flatMap(wordsIn)

const templateDrafts = (): Pick<Begun, 'ticketId' | 'body'>[] =>
  [...templateDraftOf.getParams()].flatMap((ticketId) => {
    const { values, files } = store.get(templateDraftOf(ticketId))
    const body = [...wordsIn(values), ...Object.values(files).flatMap((file) => file?.name ?? [])].join(' · ')
    return body === '' ? [] : [{ ticketId, body }]
  })

/** Signs out at once only where nothing is lost by it. */
export async function askToSignOut(): Promise<void> {
  const left = unsent(localStorage, viewer().id).filter((item) => !hasLeft(item)).length + (await begun()).length
  if (left === 0) return signOut()
  store.set(leavingAtom, true)
}
