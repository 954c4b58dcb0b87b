import { effectiveTimeOf } from '#domain/decider.ts'
import { ticketEventTypes, traitsOf } from '#domain/ticket/event-catalogue.ts'
import type { Content, TicketEvent } from '#domain/ticket/events.ts'
import { preview } from '#domain/ticket/rules.ts'
import type { Fold, PersistedEvent } from '../projector.ts'
import type { TicketTable } from './tables.ts'

/** The ticket row that lists show. */
export const inbox: Fold<TicketEvent, TicketTable> = {
  table: 'ticket',
  key: 'id',
  topic: 'ticket',
  affectedKeys: ({ aggregateId }) => [aggregateId],
  on: {
    ...Object.fromEntries(ticketEventTypes.map((type) => [type, update])),
    TicketOpened: (
      _,
      { uuid, companyId, channel, group, contactId, connectionId, queueId, predecessorId, ticketId, revision, at, ...event },
    ) => ({
      id: ticketId,
      uuid,
      companyId,
      status: event.imported ? 'closed' : group ? 'group' : 'pending',
      channel,
      isGroup: group,
      isBot: false,
      contactId,
      whatsappId: connectionId,
      queueId,
      userId: null,
      ...emptyPreview,
      failedIds: [],
      batch: null,
      unreadMessages: 0,
      isTransfered: predecessorId !== null,
      transfer: event.transfer ? { userId: userOf(event), at, note: event.note } : null,
      useIntegration: false,
      laneId: null,
      amount: null,
      revision,
      createdAt: begunAt(event, at),
      updatedAt: begunAt(event, at),
      waitingSince: group || event.imported ? null : at,
      openedAt: null,
      closedAt: event.imported ? begunAt(event, at) : null,
      closeReason: null,
      nps: null,
    }),
    TicketImported: (row, event) =>
      update(row, event, {
        ...{ status: row?.isGroup ? 'group' : 'pending', queueId: event.queueId, closedAt: null },
        waitingSince: null, // nobody waits until the contact writes
      }),
    TicketQueued: (row, event) => update(row, event, { queueId: event.queueId }),
    TicketAssigned: (row, event) => update(row, event, { userId: event.userId, isBot: false }),
    TicketAccepted: (row, event) => {
      // transferred to this agent, who has not accepted yet
      const kept = !event.waited && event.userId !== userOf(event) ? (row?.transfer ?? null) : null
      return serve(row, event, { openedAt: row?.openedAt ?? event.at, transfer: kept })
    },
    TicketReopened: (row, event) => serve(row, event, { openedAt: row?.openedAt ?? event.at, ...openAgain }),
    TicketResumed: (row, event) =>
      update(row, event, {
        ...{ status: row?.isGroup ? 'group' : 'pending', userId: null, queueId: event.queueId, isBot: false },
        ...{ waitingSince: row?.isGroup ? null : event.at, ...openAgain },
      }),
    TicketRedirected: (row, event) => update(row, event, { queueId: event.queueId, isBot: false }),
    ConsentRequested: (row, event) => update(row, event, { status: 'lgpd', waitingSince: null }),
    ConsentGiven: (row, event) =>
      row?.status === 'lgpd' ? update(row, event, { status: 'pending', waitingSince: event.at }) : updateInPlace(row, event),
    RatingRequested: (row, event) => update(row, event, { status: 'nps', ...(event.times === 1 && { unreadMessages: 0 }) }),
    TicketRated: (row, event) => update(row, event, { nps: event.rating }),
    TicketReturned: (row, event) => {
      const waitingSince = row?.status === 'pending' ? row.waitingSince : event.at // a ticket that waited for one agent keeps its place
      return update(row, event, { status: 'pending', userId: null, waitingSince, transfer: null, isBot: false })
    },
    TicketTransferred: (row, event) => {
      const to = { queueId: event.queueId, userId: event.userId, isTransfered: true, isBot: false }
      const own = event.userId !== null && event.userId === userOf(event) // an agent who transfers to themselves needs no notice
      const transfer = own || event.retiredQueueId !== undefined ? null : { userId: userOf(event), at: event.at, note: event.note }
      if (event.userId === null) return update(row, event, { ...to, status: 'pending', waitingSince: event.at, transfer })
      return update(row, event, { ...to, status: row?.isGroup ? 'group' : 'open', waitingSince: null, transfer })
    },
    TicketClosed: (row, event) =>
      update(row, event, {
        status: 'closed',
        unreadMessages: 0,
        closedAt: event.resolvedAt ?? event.at,
        closeReason: event.reason,
        isBot: false,
        waitingSince: null,
        transfer: null,
        batch: event.batch ?? null,
      }),
    ActionUndone: (row, event) => {
      const { status, userId, queueId, unread: unreadMessages, waitingSince, transferred: isTransfered } = event
      const back = { status, userId, queueId, unreadMessages, waitingSince, isTransfered, ...openAgain }
      return row && update({ ...row, updatedAt: lastActivityAt(row) }, event, back) // the ticket returns to its earlier place
    },
    TicketDeleted: () => null,
    TicketAccessed: (row, event) => update(row, event, row?.userId === event.userId && !event.mode ? { transfer: null } : undefined),
    TicketRead: (row, event) => update(row, event, { unreadMessages: event.left }),
    AmountSet: (row, event) => update(row, event, { amount: event.amount }),
    IntegrationSwitched: (row, event) => update(row, event, { useIntegration: event.on }),

    MessageReceived: (row, event) =>
      update(row, event, {
        ...lastly(event),
        ...(event.undecryptable && { lastMessage: '⏳' }),
        lastMessageFromMe: false,
        lastMessageUserId: null,
        lastMessageSender: row?.isGroup ? (event.participant?.name ?? null) : null,
        unreadMessages: (row?.unreadMessages ?? 0) + 1,
        ...(row?.status === 'pending' && row.waitingSince === null && { waitingSince: event.at }),
      }),
    MessageSent: (row, event) =>
      event.private
        ? updateInPlace(row, event)
        : update(event.again === undefined ? row : removeFailed(row, event, [event.again]), event, {
            ...lastly(event),
            lastMessageFromMe: true,
            lastMessageAck: 0,
            lastMessageUserId: userOf(event),
            lastMessageSender: null,
            ...(isOfPerson(event) && { isBot: false }),
            ...(userOf(event) !== null && !event.aside && event.reads !== false && { unreadMessages: event.left ?? 0 }),
          }),
    MessageSentExternally: (row, event) =>
      update(row, event, {
        ...lastly(event),
        ...{ lastMessageFromMe: true, lastMessageUserId: null, lastMessageSender: null, lastMessageElsewhere: true, unreadMessages: 0 },
        lastMessageAck: 1,
        isBot: false,
      }),
    MessageImported: (row, event) => {
      const sentAt = effectiveTimeOf(event)
      const ours = event.from === 'us'
      const newest = !row?.lastMessageAt || Date.parse(row.lastMessageAt) <= Date.parse(sentAt)
      return update(row, event, {
        ...(newest && {
          ...lastly(event),
          ...{ lastMessageFromMe: ours, lastMessageUserId: null, lastMessageElsewhere: ours, lastMessageAck: ours ? 1 : null },
          lastMessageSender: row?.isGroup ? (event.participant?.name ?? null) : null,
        }),
        ...(row?.closedAt && { closedAt: sentAt, updatedAt: sentAt }),
      })
    },
    MessageDecrypted: (row, event) => {
      const { lastMessage, lastMessageKind, lastMessageSeconds, lastMessageFile } = lastly(event)
      return updatePreview(row, event, { lastMessage, lastMessageKind, lastMessageSeconds, lastMessageFile })
    },
    MessageEdited: (row, event) => updatePreview(row, event, { lastMessage: preview('chat', event.body) }),
    MessageRemoved: (row, event) =>
      updatePreview(removeFailed(row, event, [event.messageId]), event, { lastMessage: '🚫', lastMessageDeleted: true }),
    MessageFailed: (row, event) => addFailed(row, event),
    MessageUncertain: (row, event) => addFailed(row, event),
    MessageDispatched: (row, event) => removeFailed(row, event, [event.messageId]),
    MessageAccepted: (row, event) => acknowledge(row, event, [event.messageId], 1),
    MessagesDelivered: (row, event) => acknowledge(row, event, event.messageIds, 2),
    MessagesRead: (row, event) => acknowledge(row, event, event.messageIds, 3),
    MessagesPlayed: (row, event) => acknowledge(row, event, event.messageIds, 5),
    LaneEntered: (row, event) => update(row, event, { laneId: event.tagId }),
    LaneLeft: (row, event) => update(row, event, { laneId: null }),
    BotMoved: (row, event) => update(row, event, { isBot: true }),
    BotEnded: (row, event) => update(row, event, { isBot: false }),
  },
  tally: {
    table: 'ticketCounter',
    of: ({ companyId, status, isGroup, queueId, userId, unreadMessages }) => ({
      key: { companyId, status, isGroup, queueId: queueId ?? 0, userId: userId ?? 0 },
      adds: { tickets: 1, unread: unreadMessages },
    }),
  },
}

type Change = Partial<TicketTable>
/** An imported ticket began with its first message. */
const begunAt = ({ imported, occurredAt }: { imported?: true; occurredAt?: string }, at: string) => (imported ? (occurredAt ?? at) : at)
const openAgain = { closedAt: null, closeReason: null, transfer: null, batch: null } satisfies Change
const emptyPreview = {
  lastMessage: '',
  lastMessageId: null,
  lastMessageFromMe: false,
  lastMessageAt: null,
  lastMessageKind: null,
  lastMessageDeleted: false,
  lastMessageUserId: null,
  lastMessageSender: null,
  lastMessageElsewhere: false,
  lastMessageSeconds: null,
  lastMessageFile: null,
  lastMessageAck: null,
} satisfies Change
function lastly(event: PersistedEvent<TicketEvent> & Content) {
  const { kind, body, media, messageId } = event
  return {
    lastMessage: preview(kind, body),
    lastMessageId: messageId,
    lastMessageAt: effectiveTimeOf(event),
    lastMessageKind: kind,
    lastMessageDeleted: false,
    lastMessageElsewhere: false,
    lastMessageSeconds: media?.seconds ?? null,
    lastMessageFile: media?.name ?? null,
    lastMessageAck: null as number | null,
  } satisfies Change
}
/** A message that ends the bot (A-BOT-08). */
const isOfPerson = ({ by, aside }: PersistedEvent<Extract<TicketEvent, { type: 'MessageSent' }>>): boolean =>
  (by.kind === 'user' || by.kind === 'api') && !aside
const userOf = ({ by }: Pick<PersistedEvent<TicketEvent>, 'by'>) => (by.kind === 'user' ? by.id : null)
/** Adds an undelivered message. */
function addFailed(row: TicketTable | null, event: PersistedEvent<TicketEvent> & { messageId: number }): TicketTable | null {
  if (row?.failedIds.includes(event.messageId)) return row
  return updateInPlace(row, event, { failedIds: [...(row?.failedIds ?? []), event.messageId] })
}
/** Removes messages that were delivered after all, are being sent again, or are deleted. */
function removeFailed(row: TicketTable | null, event: PersistedEvent<TicketEvent>, messageIds: number[]): TicketTable | null {
  if (!row?.failedIds.some((id) => messageIds.includes(id))) return row
  return updateInPlace(row, event, { failedIds: row.failedIds.filter((id) => !messageIds.includes(id)) })
}
/** The channel has these messages, so none has failed, and the last message shows its newest state. */
function acknowledge(row: TicketTable | null, event: PersistedEvent<TicketEvent>, messageIds: number[], ack: number): TicketTable | null {
  const now = removeFailed(row, event, messageIds)
  const isNewer = now?.lastMessageAck != null && now.lastMessageAck < ack
  const isOfLast = now?.lastMessageId != null && messageIds.includes(now.lastMessageId)
  return isNewer && isOfLast ? updateInPlace(now, event, { lastMessageAck: ack }) : now
}
/** Applies a change. An activity moves the ticket up in the list. */
function update(row: TicketTable | null, event: PersistedEvent<TicketEvent>, to?: Change | string | number): TicketTable | null {
  const now = updateInPlace(row, event, to)
  return now && traitsOf(event.type).isActivity ? { ...now, updatedAt: event.at } : now
}
/** The last activity before the closing or assignment, as far as the row knows. */
const lastActivityAt = ({ lastMessageAt, openedAt, createdAt }: TicketTable): string =>
  [lastMessageAt, openedAt, createdAt].filter((at) => at !== null).reduce((a, b) => (Date.parse(a) > Date.parse(b) ? a : b))
/** Applies a change that keeps the ticket's place in the list. Its revision changes with it, because rows are cached by revision. */
function updateInPlace(row: TicketTable | null, event: PersistedEvent<TicketEvent>, to?: Change | string | number): TicketTable | null {
  return row && { ...row, ...(typeof to === 'object' ? to : null), revision: event.revision }
}
function serve(
  row: TicketTable | null,
  event: PersistedEvent<TicketEvent> & { userId: number; queueId: number },
  to: Change,
): TicketTable | null {
  const { userId, queueId } = event
  return update(row, event, { waitingSince: null, isBot: false, ...to, status: row?.isGroup ? 'group' : 'open', userId, queueId })
}
/** Changes the preview if the event concerns the last message. */
function updatePreview(
  row: TicketTable | null,
  event: PersistedEvent<TicketEvent> & { messageId: number },
  to: Change,
): TicketTable | null {
  return updateInPlace(row, event, row?.lastMessageId === event.messageId ? to : undefined)
}
