import { describe, expect, it } from 'vitest'
import { content, given, later, opening, received, servedBy, system, waiting } from '#tests/support/story.ts'

const { quotedId: _, ...messageContent } = content
const sentAt = '2025-11-03T09:00:00.000Z'
const importCommand = { type: 'Import' as const, externalId: 'old-1', from: 'contact' as const, participant: null, author: null }
const importMessage = {
  ...importCommand,
  ...messageContent,
  messageId: 61,
  quotedExternalId: null,
  opening,
  by: system,
  occurredAt: sentAt,
}
const opened = { ...waiting, imported: true as const, by: system, occurredAt: sentAt }
const imported = {
  ...importCommand,
  ...messageContent,
  type: 'MessageImported' as const,
  messageId: 61,
  quotedId: null,
  queueId: 5,
  by: system,
  occurredAt: sentAt,
}
const ended = { type: 'TicketImported' as const, queueId: 5, by: system }

describe('messages from before a number was linked (A-IMP-04)', () => {
  it('open their own ticket, already closed, without unread messages and without a bot', () => {
    const facts = given().when(importMessage).facts()
    expect(facts.map(({ type }) => type)).toEqual(['TicketOpened', 'MessageImported'])
    expect(given(...facts).folded()).toMatchObject({
      ...{ status: 'closed', closedAt: sentAt, unread: 0, inboundCount: 0, waitingSince: null, last: null, bot: { over: true } },
      usedIds: new Map([['old-1', 61]]),
    })
  })
  it('are imported once', () =>
    given(opened, imported)
      .when({ ...importMessage, messageId: 62 })
      .nothing())
  it('reference the message that they quote', () => {
    const second = { ...importMessage, messageId: 62, externalId: 'old-2', quotedExternalId: 'old-1' }
    expect(given(opened, imported).when(second).facts()).toMatchObject([{ type: 'MessageImported', messageId: 62, quotedId: 61 }])
  })
  it('move the closing time to the last message', () => {
    const second = { ...imported, messageId: 62, externalId: 'old-2', occurredAt: '2025-11-04T09:00:00.000Z' }
    expect(given(opened, imported, second).folded()).toMatchObject({ closedAt: second.occurredAt })
  })
  it('can quote a message of another ticket', () => {
    const earlier = { messageId: 7, quote: { from: 'us' as const, kind: 'chat' as const, body: 'às nove' } }
    const quoting = { ...importMessage, messageId: 62, externalId: 'old-2', quotedExternalId: 'older', earlier }
    expect(given(opened, imported).when(quoting).facts()).toMatchObject([{ quotedId: 7, quote: earlier.quote }])
  })
  it('put the ticket on the waiting list at the end of the import, once', () => {
    const end = { type: 'EndImport' as const, queueId: 5, by: system }
    expect(given(opened, imported).when(end).facts()).toMatchObject([{ type: 'TicketImported', queueId: 5 }])
    given(opened, imported, ended).when(end).nothing()
    given(opened, imported, ended, servedBy(7)).when(end).nothing()
  })
  it('start no waiting time until the contact writes (A-TICKET-15)', () => {
    expect(given(opened, imported, ended).folded()).toMatchObject({ status: 'pending', waitingSince: null })
    const wrote = [received(1, { at: later(5) }), received(2, { at: later(9) })]
    expect(given(opened, imported, ended, ...wrote).folded()).toMatchObject({ waitingSince: later(5) })
  })
  it('are never unread', () => {
    const accepted = [opened, imported, ended, servedBy(7)]
    given(...accepted)
      .when({ type: 'Read', userId: 7, messageId: 61 })
      .nothing()
    const early = { type: 'Send' as const, messageId: 9, externalId: 'out-9', clientId: 'client-9', ...content, seen: 3 }
    const came = given(...accepted, received(1)).when({ ...early, private: false, forwarded: false, anyway: true, admin: false })
    expect(came.facts()).toMatchObject([{ type: 'MessageSent', left: 1 }])
  })
  it('are followed by new messages as in any other ticket', () =>
    expect(given(opened, imported, ended, received(1)).folded()).toMatchObject({ status: 'pending', unread: 1, bot: { over: true } }))
})
