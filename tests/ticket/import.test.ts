import { describe, expect, it } from 'vitest'
import { content, given, later, opening, received, servedBy, system, waiting } from '#tests/support/story.ts'

const { quotedId: _, ...said } = content
const then = '2025-11-03T09:00:00.000Z'
const word = { type: 'Import' as const, externalId: 'old-1', from: 'contact' as const, participant: null, author: null }
const told = { ...word, ...said, messageId: 61, quotedExternalId: null, opening, by: system, occurredAt: then }
const opened = { ...waiting, imported: true as const, by: system, occurredAt: then }
const fact = { ...word, ...said, type: 'MessageImported' as const, messageId: 61, quotedId: null, queueId: 5, by: system, occurredAt: then }
const ended = { type: 'TicketImported' as const, queueId: 5, by: system }

describe('what was said before a number was linked (A-IMP-04)', () => {
  it('opens a ticket of its own, which is closed since then, unread by nobody, and no bot’s', () => {
    const facts = given().when(told).facts()
    expect(facts.map(({ type }) => type)).toEqual(['TicketOpened', 'MessageImported'])
    expect(given(...facts).folded()).toMatchObject({
      ...{ status: 'closed', closedAt: then, unread: 0, heard: 0, waitingSince: null, last: null, bot: { over: true } },
      spent: new Map([['old-1', 61]]),
    })
  })
  it('is there once', () =>
    given(opened, fact)
      .when({ ...told, messageId: 62 })
      .nothing())
  it('names what it quotes', () => {
    const second = { ...told, messageId: 62, externalId: 'old-2', quotedExternalId: 'old-1' }
    expect(given(opened, fact).when(second).facts()).toMatchObject([{ type: 'MessageImported', messageId: 62, quotedId: 61 }])
  })
  it('was over when its last word was said', () => {
    const second = { ...fact, messageId: 62, externalId: 'old-2', occurredAt: '2025-11-04T09:00:00.000Z' }
    expect(given(opened, fact, second).folded()).toMatchObject({ closedAt: second.occurredAt })
  })
  it('quotes what was said in another ticket', () => {
    const earlier = { messageId: 7, quote: { from: 'us' as const, kind: 'chat' as const, body: 'às nove' } }
    const quoting = { ...told, messageId: 62, externalId: 'old-2', quotedExternalId: 'older', earlier }
    expect(given(opened, fact).when(quoting).facts()).toMatchObject([{ quotedId: 7, quote: earlier.quote }])
  })
  it('waits for people at its end, once', () => {
    const end = { type: 'EndImport' as const, queueId: 5, by: system }
    expect(given(opened, fact).when(end).facts()).toMatchObject([{ type: 'TicketImported', queueId: 5 }])
    given(opened, fact, ended).when(end).nothing()
    given(opened, fact, ended, servedBy(7)).when(end).nothing()
  })
  it('has nobody waiting in it until its contact writes (A-TICKET-15)', () => {
    expect(given(opened, fact, ended).folded()).toMatchObject({ status: 'pending', waitingSince: null })
    const wrote = [received(1, { at: later(5) }), received(2, { at: later(9) })]
    expect(given(opened, fact, ended, ...wrote).folded()).toMatchObject({ waitingSince: later(5) })
  })
  it('has nothing in it that somebody here is yet to read', () => {
    const accepted = [opened, fact, ended, servedBy(7)]
    given(...accepted)
      .when({ type: 'Read', userId: 7, messageId: 61 })
      .nothing()
    const early = { type: 'Send' as const, messageId: 9, externalId: 'out-9', clientId: 'client-9', ...content, seen: 3 }
    const came = given(...accepted, received(1)).when({ ...early, private: false, forwarded: false, anyway: true, admin: false })
    expect(came.facts()).toMatchObject([{ type: 'MessageSent', left: 1 }])
  })
  it('goes on as any other from there', () =>
    expect(given(opened, fact, ended, received(1)).folded()).toMatchObject({ status: 'pending', unread: 1, bot: { over: true } }))
})
