import { effectiveTimeOf } from '#domain/decider.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Fold } from '../projector.ts'
import type { TrafficTable } from './tables.ts'

/** A quarter of an hour: every time zone starts its days at one. */
const slotMs = 900_000
const slotOf = (at: string) => new Date(Math.floor(Date.parse(at) / slotMs) * slotMs).toISOString()
const soonMs = minuteMs

/**
 * The results of what a connection sends (A-CONN-03), and inbound counts, which exist only as sums. Deleting
 * a ticket changes no sum, because its messages were sent.
 */
export const traffic: Fold<TicketEvent, TrafficTable> = {
  table: 'traffic',
  key: 'id',
  upsertsWithoutRead: (event) =>
    event.type === 'TicketOpened' ? [-event.aggregateId] : event.type === 'MessageSent' ? [event.messageId] : [],
  affectedKeys(event) {
    if (event.type === 'TicketOpened') return [-event.aggregateId]
    if (event.type === 'MessageSent') return event.private ? [] : [event.messageId, -event.aggregateId]
    if (event.type === 'MessageReceived') return [-event.aggregateId]
    return 'messageIds' in event ? event.messageIds : 'messageId' in event ? [event.messageId!] : []
  },
  on: {
    TicketOpened: (_, { aggregateId, companyId, connectionId }) => ({ ...emptyTraffic, id: -aggregateId, companyId, connectionId }),
    MessageSent(row, { messageId, companyId, aggregateId, at }, key, rows) {
      const by = rows.get(-aggregateId)
      return key === messageId && by ? { ...emptyTraffic, id: messageId, companyId, connectionId: by.connectionId, sentAt: at } : row
    },
    MessageDispatched: (row, { at, attempt }) => row && { ...row, triedAt: at, tries: attempt },
    MessageAccepted: (row, { at }) => row && { ...markArrived(row), takenAt: row.takenAt ?? at },
    MessagesDelivered: (row, event) => row && delivered(row, effectiveTimeOf(event)),
    MessagesRead: (row, event) => row && read(row, effectiveTimeOf(event)),
    MessagesPlayed: (row, event) => row && read(row, effectiveTimeOf(event)),
    MessageFailed: (row, { code }) => row && { ...row, failed: code },
    MessageUncertain: (row) => row && { ...row, uncertain: true },
  },
  tally: {
    table: 'trafficSum',
    of({ companyId, connectionId, sentAt, triedAt, takenAt, deliveredAt, readAt, failed, overcome, uncertain, tries }) {
      const timed = triedAt !== null && takenAt !== null && takenAt >= triedAt
      const adds = {
        ...nothingAdded,
        ...{ sent: count(sentAt), taken: count(takenAt), delivered: count(deliveredAt), read: count(readAt) },
        soon: Number(takenAt !== null && deliveredAt !== null && Date.parse(deliveredAt) - Date.parse(takenAt) <= soonMs),
        ...{ overcome: Number(failed === null && overcome !== null), retried: Number(tries > 1 && takenAt !== null) },
        ...{ uncertain: Number(uncertain), timed: Number(timed), tookMs: timed ? Date.parse(takenAt) - Date.parse(triedAt) : 0 },
      }
      return { key: { companyId, connectionId, slot: sentAt && slotOf(sentAt), failed: failed ?? overcome ?? '' }, adds }
    },
    byEvent: {
      MessageReceived({ companyId, aggregateId, at }, rows) {
        const by = rows.get(-aggregateId)
        const adds = { ...nothingAdded, received: 1 }
        return by ? { key: { companyId, connectionId: by.connectionId, slot: slotOf(at), failed: '' }, adds } : null
      },
    },
  },
}

const nothingAdded = {
  ...{ sent: 0, taken: 0, delivered: 0, soon: 0, read: 0, uncertain: 0, overcome: 0, retried: 0, timed: 0, tookMs: 0 },
  received: 0,
}
const emptyTraffic = {
  ...{ sentAt: null, triedAt: null, takenAt: null, deliveredAt: null, readAt: null, failed: null, overcome: null },
  ...{ uncertain: false, tries: 0 },
}
const count = (at: string | null) => Number(at !== null)
/** A receipt arrived, so the message was delivered despite an earlier failure. */
const markArrived = (row: TrafficTable): TrafficTable => ({ ...row, failed: null, overcome: row.failed ?? row.overcome, uncertain: false })
const delivered = (row: TrafficTable, at: string): TrafficTable => ({
  ...markArrived(row),
  ...{ takenAt: row.takenAt ?? at, deliveredAt: row.deliveredAt ?? at },
})
const read = (row: TrafficTable, at: string): TrafficTable => ({ ...delivered(row, at), readAt: row.readAt ?? at })
