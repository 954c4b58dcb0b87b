import { atom, getDefaultStore } from 'jotai'
import type { Answer } from '#domain/contract.ts'
import type { tickets } from '#domain/ticket/contract.ts'
import preview from './Preview.module.css'

const store = getDefaultStore()
export type MessageHit = Answer<typeof tickets.list>['hits'][number]
/** The search hit in the messages of a ticket, by the ticket's id. */
export const hitsAtom = atom<ReadonlyMap<number, MessageHit>>(new Map())
export const keepHits = (found: MessageHit[], first: boolean): void =>
  store.set(hitsAtom, (now) => new Map([...(first ? [] : now), ...found.map((one) => [one.ticketId, one] as const)]))

export const Hit = ({ before, hit, after }: Pick<MessageHit, 'before' | 'hit' | 'after'>) => (
  <span className={preview.last} data-part="card-last" dir="auto">
    {before}
    <mark>{hit}</mark>
    {after}
  </span>
)

/** Opens the conversation at a message. `terms`: the first of them that it contains is highlighted. */
export async function jumpTo(ticketId: number, messageId: number, terms: string[] = []): Promise<void> {
  const [{ threadOf }, { showMessage }, { highlight }] = await Promise.all([
    import('#web/message/atoms.ts'),
    import('#web/message/show-message.ts'),
    import('#web/message/thread/highlight.ts'),
  ])
  const thread = threadOf(ticketId)
  const stay = store.sub(thread.ids, () => {}) // a subscription keeps the list live
  try {
    if (store.get(thread.state) !== 'ready') await store.set(thread.reload)
    const { pathname } = location
    const isShown = await showMessage(thread, messageId, { wanted: () => location.pathname === pathname })
    if (isShown && terms.length > 0) highlight(messageId, terms)
  } finally {
    setTimeout(stay, 1000)
  }
}
