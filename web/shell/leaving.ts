import { atom } from 'jotai'
import { keptPlaces } from '#web/message/composer/cupboard.ts'
import { keptDrafts, keptUnder, type Mode } from '#web/message/composer/drafts.ts'
import { hasLeft, unsent } from '#web/message/unsent.ts'
import { signOut, store, viewer } from '#web/session.ts'
import { templateDraftOf } from '#web/template/drafts.ts'

/** Unsent work: the recipient, its kind and the beginning of its text. */
export type Begun = { ticketId: number; to: string; as: 'message' | 'internal' | 'note' | 'interactive' | 'template'; body: string }

/** Signing out waits for a confirmation, because it would lose work. */
export const leavingAtom = atom(false)

/** Drafts and files in composers, unsaved notes, and input of dialogs that can be reopened. */
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

/** Signs out at once only if nothing is lost. */
export async function askToSignOut(): Promise<void> {
  const left = unsent(localStorage, viewer().id).filter((item) => !hasLeft(item)).length + (await begun()).length
  if (left === 0) return signOut()
  store.set(leavingAtom, true)
}
