import { atom } from 'jotai'
import type { Frame } from '#domain/live/contract.ts'
import type { FailedMessage } from '#domain/message/contract.ts'
import { failedTopic } from '#domain/message/topic.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { ApiError, api } from '#web/api.ts'
import { createLiveCollection } from '#web/live.ts'
import { undeliveredAtom } from '#web/message/delayed-messages.ts'
import { isUnsent, type Sending, unsent } from '#web/message/unsent.ts'
import { store, viewer } from '#web/session.ts'
import { live } from '#web/socket.ts'

/** An undelivered message: refused by the channel, or by the server, which then has not stored it. */
export type Failed = { key: string; ticketId: number; to: string; at: string; body: string } & (
  | { by: 'channel'; uuid: string; inSight: boolean; message: FailedMessage }
  | { by: 'server'; uuid: string | null; inSight: boolean; item: Sending }
)

const knownAtom = atom(0)
const known = createLiveCollection<FailedMessage>({
  topic: failedTopic,
  load: async () => {
    const { messages, count } = await api.messages.failed()
    store.set(knownAtom, count)
    return { rows: messages, hasMore: false }
  },
})

/** The agent of each ticket with failed messages. A change of agent changes what the viewer may see. */
const hands = new Map<number, string>()
function moved(frame: Frame): boolean {
  const row = frame[ticketTopic.field] as TicketRow | undefined
  const id = Number(row?.id ?? frame.id)
  const now = row && row.failedMessages > 0 ? `${row.userId} ${row.status} ${row.queueId} ${row.failedMessages}` : ''
  const before = hands.get(id) ?? (store.get(known.all).some(({ ticketId }) => ticketId === id) ? null : '')
  if (now === '') hands.delete(id)
  else hands.set(id, now)
  return before !== now
}
/** While the bar is shown, watches tickets that change their agent and messages on this device. */
const watchAtom = atom(null)
watchAtom.onMount = () => {
  const fetch = () => import('#web/message/sending.ts')
  const { id } = viewer()
  if (unsent(localStorage, id).length > 0) void fetch().then(({ out }) => out.wake())
  const stored = ({ key }: StorageEvent) => key !== null && isUnsent(key, id) && void fetch()
  window.addEventListener('storage', stored)
  const leave = live.subscribe(ticketTopic.name, (frames) => {
    if (frames.filter(moved).length > 0) void store.set(known.reload)
  })
  return () => {
    leave()
    window.removeEventListener('storage', stored)
  }
}

const outOfSight = ['ERR_NO_TICKET_FOUND', 'ERR_NOT_FOUND']
const refused = (item: Sending): Failed => {
  const gone = item.error instanceof ApiError && outOfSight.includes(item.error.code)
  const { key, ticketId, to, at, body, uuid } = item
  return { by: 'server', key, ticketId, to, at, body, uuid, inSight: !gone && uuid !== null, item }
}
const failed = (message: FailedMessage): Failed => {
  const { id, ticketId, contact, createdAt, body, uuid, inSight } = message
  return { by: 'channel', key: `${id}`, ticketId, to: contact.name, at: createdAt, body, uuid, inSight, message }
}

/** The viewer's undelivered messages and their number. With very many, the list contains only the newest. */
export const failedAtom = atom((get) => {
  get(watchAtom)
  const here = get(undeliveredAtom).filter(({ state }) => state === 'failed')
  const there = get(known.all)
  const many = there.length > 0 ? Math.max(get(knownAtom), there.length) : 0 // none is counted before the list can open it
  return { count: here.length + many, all: [...here.map(refused), ...there.map(failed)] }
})

/** Removes a failed message from the list; its conversation still shows it. */
export async function dismiss(messageId: number): Promise<void> {
  await api.messages.dismiss({ params: { id: messageId } })
  await store.set(known.reload)
}
