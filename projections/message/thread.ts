import { effectiveTimeOf } from '#domain/decider.ts'
import { searchableContent } from '#domain/message-search/rules.ts'
import type { Content, TicketEvent } from '#domain/ticket/events.ts'
import { reactor } from '#domain/ticket/rules.ts'
import type { Fold, PersistedEvent } from '../projector.ts'
import type { MessageTable } from '../ticket/tables.ts'

/** The messages of a ticket with their receipts. */
export const thread: Fold<TicketEvent, MessageTable> = {
  table: 'message',
  key: 'id',
  topic: 'appMessage',
  upsertsWithoutRead: (event) => (begun.has(event.type) ? [(event as Content).messageId] : []),
  affectedKeys: (event) => {
    if (event.type === 'MessageSent' && event.again !== undefined) return [event.messageId, event.again]
    return 'messageIds' in event ? event.messageIds : 'messageId' in event ? [event.messageId] : []
  },
  on: {
    MessageReceived: (_, event) => ({
      ...{ ...written(event), fromMe: false, userId: null, senderName: event.participant?.name ?? null },
      undecryptable: event.undecryptable === true,
      about: event.about ?? null,
    }),
    MessageDecrypted: (row, event) => row && { ...row, ...words(event), isForwarded: event.forwarded === true, undecryptable: false },
    MessageSentExternally: (_, event) => ({ ...written(event), fromMe: true, ack: 1, elsewhere: true, about: event.about ?? null }),
    MessageImported: (_, event) => {
      const ours = event.from === 'us'
      return {
        ...written(event),
        fromMe: ours,
        ack: ours ? 1 : 0,
        read: true,
        elsewhere: ours,
        senderName: event.participant?.name ?? null,
      }
    },
    MessageSent: (row, event, key) => (key === event.messageId ? sentMessage(event) : row && { ...row, sentAgain: event.messageId }),
    MessageAccepted: (row) => row && { ...row, ack: Math.max(row.ack, 1), failed: null, uncertain: false },
    MessagesDelivered: (row) => row && { ...row, ack: Math.max(row.ack, 2), failed: null, uncertain: false },
    MessagesRead: (row) => row && { ...row, ack: Math.max(row.ack, 3), failed: null, uncertain: false },
    MessagesPlayed: (row) => row && { ...row, ack: 5, failed: null, uncertain: false },
    MessageFailed: (row, { code }) => row && { ...row, failed: code },
    MessageUncertain: (row) => row && { ...row, uncertain: true },
    MessageEdited: (row, { body, media = null }) =>
      row && {
        ...row,
        body,
        words: searchableContent({ kind: row.mediaType, body, media: row.media }),
        isEdited: true,
        ...(row.mediaType === 'chat' && { media }),
      },
    MessageRemoved: (row, { from, emptied }) => row && { ...row, deletedBy: from, ...(emptied && clearedContent) },
    MessageReacted: (row, event) => row && { ...row, reactions: [...others(row, event), reaction(event, event.participant?.name)] },
    ReactionRemoved: (row, event) => row && { ...row, reactions: others(row, event) },
  },
  bulkUpdates: {
    /** Marks the contact's messages up to this revision as read. */
    text: `update message m set read = true from jsonb_to_recordset($1::jsonb) as seen ("ticketId" integer, revision integer, "messageId" integer)
      where m.ticket_id = seen."ticketId" and not m.from_me and not m.read
        and m.revision <= coalesce((select u.revision from message u where u.id = seen."messageId"), seen.revision)`,
    on: {
      TicketRead: ({ aggregateId: ticketId, revision, messageId }) => ({ ticketId, revision, messageId }),
      MessageSentExternally: ({ aggregateId: ticketId, revision }) => ({ ticketId, revision }),
      MessageSent: ({ aggregateId: ticketId, revision, by, private: hidden, aside, left = 0, reads, seen }) =>
        // an agent's answer marks the contact's messages as read
        by.kind === 'user' && !hidden && !aside && reads !== false ? { ticketId, revision: left > 0 ? seen : revision } : null,
    },
  },
  deletesWhere: { column: 'ticketId', on: { TicketDeleted: ({ aggregateId }) => aggregateId } },
}

const begun = new Set<TicketEvent['type']>(['MessageReceived', 'MessageSent', 'MessageSentExternally', 'MessageImported'])
const words = ({ body, kind, media, vCard, quotedId }: Content) => ({
  body,
  words: searchableContent({ kind, body, media }),
  mediaType: kind,
  media,
  vCard,
  quotedId,
})
function written(event: PersistedEvent<TicketEvent> & Content & { queueId: number | null; forwarded?: boolean }): MessageTable {
  const { messageId, companyId, aggregateId: ticketId, queueId, revision } = event
  return {
    ...{
      id: messageId,
      companyId,
      ticketId,
      queueId,
      ...words(event),
      revision,
      createdAt: effectiveTimeOf(event),
    },
    ...{ fromMe: false, userId: null, senderName: null, deletedBy: null, isEdited: false, isPrivate: false },
    isForwarded: event.forwarded === true,
    ...{
      ack: 0,
      read: false,
      failed: null,
      uncertain: false,
      elsewhere: false,
      undecryptable: false,
      sentAgain: null,
      template: null,
      interactive: null,
      about: null,
      reactions: [],
    },
  }
}
function sentMessage(event: PersistedEvent<Extract<TicketEvent, { type: 'MessageSent' }>>): MessageTable {
  const userId = event.by.kind === 'user' ? event.by.id : null
  return {
    ...written(event),
    fromMe: true,
    userId,
    isPrivate: event.private,
    template: event.template ?? null,
    interactive: event.interactive ?? null,
  }
}
/** The cleared fields of a message whose content was deleted (A-LGPD-03). */
const clearedContent = { body: '', words: '', media: null, vCard: null, template: null, interactive: null, about: null }
type Reaction = MessageTable['reactions'][number]
const reaction = ({ emoji, from, author }: Reaction, name?: string): Reaction => ({
  ...{ emoji, from, ...(author != null && { author }) },
  ...(name && { name }),
})
const others = (row: MessageTable, who: Omit<Reaction, 'emoji'>) => row.reactions.filter((one) => reactor(one) !== reactor(who))
