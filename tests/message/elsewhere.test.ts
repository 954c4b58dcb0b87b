import { describe, expect, it } from 'vitest'
import { closed, contact, content, given, opening, received, sent, servedBy, system, waiting } from '#tests/support/story.ts'

const served = [waiting, servedBy(7)]
const { quotedId: _, ...said } = content
const typed = { type: 'SendElsewhere' as const, externalId: 'phone-9', messageId: 9, quotedExternalId: null, opening, ...said, by: system }
const told = { type: 'MessageSentElsewhere' as const, externalId: 'phone-9', messageId: 9, quotedId: null, queueId: 5, ...said, by: system }
const failed = (messageId: number) => ({ type: 'MessageFailed' as const, messageId, code: '131026' })
const accepted = (messageId: number) => ({ type: 'MessageAccepted' as const, messageId })

describe('what is written on the company’s own phone', () => {
  it('stands in the ticket, once', () => {
    given(...served)
      .when(typed)
      .then({ type: 'MessageSentElsewhere', externalId: 'phone-9', messageId: 9, quotedId: null, queueId: 5, ...said })
    given(...served, told)
      .when(typed)
      .nothing()
  })
  it('quotes what was said in an earlier ticket with its words', () => {
    const earlier = { messageId: 2, quote: { from: 'contact' as const, kind: 'chat' as const, body: 'Tem azul?' } }
    const { by: _, ...fact } = told
    given(...served)
      .when({ ...typed, quotedExternalId: 'in-2', earlier })
      .then({ ...fact, quotedId: 2, quote: earlier.quote })
  })
  it('says where it was forwarded (A-MSG-08)', () => {
    const { by: _, ...fact } = told
    given(...served)
      .when({ ...typed, forwarded: true })
      .then({ ...fact, forwarded: true })
  })
  it('opens a ticket where there is none', () =>
    expect(
      given()
        .when(typed)
        .facts()
        .map(({ type }) => type),
    ).toEqual(['TicketOpened', 'MessageSentElsewhere']))
  it('is for the next ticket where this one is closed', () =>
    given(...served, closed)
      .when(typed)
      .refused('ERR_TICKET_NOT_OPEN'))
  it('has read and answered what the contact wrote, and ends the bot (A-BOT-08)', () =>
    expect(given({ ...waiting, by: contact }, received(1), told).folded()).toMatchObject({
      ...{ unread: 0, heard: 1, read: 1, last: { from: 'us' }, bot: { over: true } },
      messages: new Map([
        [1, expect.objectContaining({ from: 'contact' })],
        [9, expect.objectContaining({ from: 'us', userId: null, ack: 1 })],
      ]),
    }))
  it('gets marks, and is edited, deleted and reacted to there', () => {
    given(...served, told)
      .when({ type: 'Mark', mark: 'read', externalIds: ['phone-9'] })
      .then({ type: 'MessagesRead', messageIds: [9] })
    given(...served, told)
      .when({ type: 'EditElsewhere', externalId: 'phone-9', body: 'assim', by: system })
      .then({ type: 'MessageEdited', messageId: 9, body: 'assim' })
    given(...served, told)
      .when({ type: 'RemoveElsewhere', externalId: 'phone-9', by: system })
      .then({ type: 'MessageRemoved', messageId: 9, from: 'us' })
    given(...served, received(1))
      .when({ type: 'ReactElsewhere', externalId: 'in-1', emoji: '👍', by: system })
      .then({ type: 'MessageReacted', messageId: 1, emoji: '👍', from: 'us' })
    given(...served, received(1))
      .when({ type: 'RemoveElsewhere', externalId: 'in-1', by: system })
      .nothing()
  })
})

describe('what did not arrive after all', () => {
  const not = (...externalIds: string[]) => ({ type: 'NotDelivered' as const, externalIds, code: '131026', by: system })
  it('is told with its code, once, also before it was accepted', () => {
    given(...served, sent(1), accepted(1))
      .when(not('out-1'))
      .then(failed(1))
    given(...served, sent(1))
      .when(not('out-1'))
      .then(failed(1))
    given(...served, sent(1), accepted(1), failed(1))
      .when(not('out-1'))
      .nothing()
  })
  it('stays so when the answer of the one who sent it comes behind', () =>
    given(...served, sent(1), failed(1))
      .when({ type: 'Accepted', messageId: 1 })
      .nothing())
  it('is nothing for what was delivered, and over with what is delivered later', () => {
    given(...served, sent(1), { type: 'MessagesDelivered', messageIds: [1] })
      .when(not('out-1'))
      .nothing()
    given(...served, sent(1), { type: 'MessagesDelivered', messageIds: [1] })
      .when({ ...not('out-1'), partly: true }) // of what went as several its beginning was
      .then(failed(1))
    given(...served, sent(1), failed(1))
      .when({ type: 'Mark', mark: 'delivered', externalIds: ['out-1'] })
      .then({ type: 'MessagesDelivered', messageIds: [1] })
  })
  it('may be sent again', () =>
    expect(
      given(...served, sent(1), accepted(1), failed(1))
        .when({
          ...{
            type: 'Send',
            messageId: 2,
            externalId: 'out-2',
            clientId: 'c-2',
            private: false,
            forwarded: false,
            seen: null,
            anyway: true,
          },
          ...{ admin: false, again: 1, ...content },
        })
        .facts(),
    ).toMatchObject([{ type: 'MessageSent', again: 1 }]))
})

describe('what nobody can read yet', () => {
  const come = { type: 'Receive' as const, externalId: 'in-1', participant: null, quotedExternalId: null, opening, by: contact }
  const waits = { ...received(1), body: '', undecryptable: true as const }
  it('is received as such, and what it says takes its place when it comes, once', () => {
    expect(
      given(...served)
        .when({ ...come, messageId: 1, ...said, body: '', undecryptable: true })
        .facts(),
    ).toMatchObject([{ type: 'MessageReceived', body: '', undecryptable: true }])
    const read = { type: 'MessageDecrypted' as const, messageId: 1, ...said, quotedId: null, body: 'agora sim' }
    given(...served, waits)
      .when({ ...come, messageId: 5, ...said, body: 'agora sim' })
      .then(read)
    given(...served, waits, read)
      .when({ ...come, messageId: 5, ...said, body: 'agora sim' })
      .nothing()
    given(...served, waits)
      .when({ ...come, messageId: 5, ...said, body: '', undecryptable: true })
      .nothing()
  })
})
