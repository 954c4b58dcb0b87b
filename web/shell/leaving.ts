import { atom } from 'jotai'
import { keptPlaces } from '#web/message/composer/cupboard.ts'
import { keptDrafts, keptUnder, type Mode } from '#web/message/composer/drafts.ts'
import { hasLeft, unsent } from '#web/message/unsent.ts'
import { signOut, store, viewer } from '#web/session.ts'
import { templateDraftOf } from '#web/template/drafts.ts'

/** What somebody began and has not sent: to whom, as what, and how it begins. */
export type Begun = { ticketId: number; to: string; as: 'message' | 'internal' | 'note' | 'interactive' | 'template'; body: string }

/** Signing out waits for an answer: something of theirs would be lost by it. */
export const leavingAtom = atom(false)

/** Words and files that stand in composers, notes that are typed, and what is typed into dialogs that are opened again. */
export async function begun(): Promise<Begun[]> {
  const { id } = viewer()
  const drafts = keptDrafts(localStorage, id)
  const isInDraft = ({ ticketId, mode }: { ticketId: number; mode: Mode }) =>
    drafts.some((draft) => draft.ticketId === ticketId && draft.mode === mode && draft.body.trim() !== '')
  const files = (await keptPlaces(id)).filter((place) => !isInDraft(place))
  const as = (what: Begun['as']) => (one: Pick<Begun, 'ticketId' | 'body'>) => ({ ...one, to: '', as: what })
  return [
    ...drafts.filter(hasWords).map(({ ticketId, to, body, mode }) => ({ ticketId: ticketId ?? 0, to, body, as: asOf[mode] })),
    ...files.map(({ ticketId, mode }) => ({ ticketId, to: '', body: '', as: asOf[mode] })),
    ...keptUnder(localStorage, `draft-${id}-note-`).map(bodyOf).filter(hasWords).map(as('note')),
    ...interactiveDrafts(id).filter(hasWords).map(as('interactive')),
    ...templateDrafts().map(as('template')),
  ]
}
const asOf = { reply: 'message', note: 'internal' } as const
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
