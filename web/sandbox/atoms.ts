import { atom } from 'jotai'
import type { Inbound, PhoneLine } from '#domain/sandbox/contract.ts'
import { api } from '#web/api.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'
import { createLruCache } from '#web/ui/lru-cache.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { createSessionStorageAtom } from '#web/ui/session-storage-atom.ts'
import { sandboxConnections } from './exists.ts'

export type Holder = { number: string; name: string }
/** The message that the customer answers or edits. */
export type Doing = { what: 'reply' | 'edit'; line: PhoneLine } | null
/** Sends an inbound event to the provider as a real phone would; resolves to whether it was accepted. */
export type Tell = (what: Partial<Inbound>, file?: Blob, name?: string) => Promise<boolean>

export const connectionsAtom = createRemoteAtom(sandboxConnections)
/** The connection that the phones write to; null: the first one. */
export const chosenConnectionAtom = createSessionStorageAtom<number | null>('sandboxConnection', null)

const kept = 'sandboxPhones'
const onTable = atom<Holder[]>(JSON.parse(localStorage.getItem(kept) ?? '[]') as Holder[])
/** The open phones, kept in storage. */
export const holdersAtom = atom(
  (get) => get(onTable),
  (_, set, to: Holder[]) => {
    localStorage.setItem(kept, JSON.stringify(to))
    set(onTable, to)
  },
)

export const customersOf = createLruCache(
  (connectionId: number) => createRemoteAtom(() => api.sandbox.customers({ params: { connectionId } })),
  2,
)

const every = 1000
/** The messages of a phone, polled every second while the page is visible. Polling marks inbound messages as read. */
export const phoneOf = createLruCache(({ connectionId, number }: { connectionId: number; number: string }) => {
  const lines = atom<PhoneLine[] | null>(null)
  const markedRead = new Set<string>()
  const look = atom(null, async (get, set) => {
    if (document.hidden) return
    const now = await api.sandbox.phone({ params: { connectionId, number } })
    if (JSON.stringify(now) !== JSON.stringify(get(lines))) set(lines, now)
    for (const { id, mine, mark } of now)
      if (!mine && mark === 'delivered' && !markedRead.has(id)) {
        markedRead.add(id)
        await api.sandbox.marks({ params: { connectionId }, body: { id, mark: 'read' } }).catch(() => markedRead.delete(id))
      }
  })
  const polledLines = atom(
    (get) => get(lines),
    (_, set) => ignoreErrors(set(look), 'the next poll tries again'),
  )
  polledLines.onMount = (again) => {
    void again()
    const timer = setInterval(() => void again(), every)
    return () => clearInterval(timer)
  }
  return { polledLines, look }
}, 8)
