import { describe, expect, it } from 'vitest'
import { closed, contact, content, given, opening, received, sent, servedBy, system, waiting } from '#tests/support/story.ts'

const served = [waiting, servedBy(7)]
const { quotedId: _, ...messageContent } = content
const sendElsewhere = {
  type: 'SendExternally' as const,
  externalId: 'phone-9',
  messageId: 9,
  quotedExternalId: null,
  opening,
  ...messageContent,
  by: system,
}
const sentElsewhere = {
  type: 'MessageSentExternally' as const,
  externalId: 'phone-9',
  messageId: 9,
  quotedId: null,
  queueId: 5,
  ...messageContent,
  by: system,
}
const failed = (messageId: number) => ({ type: 'MessageFailed' as const, messageId, code: '131026' })
const accepted = (messageId: number) => ({ type: 'MessageAccepted' as const, messageId })

describe('a message that the company sends from its own phone', () => {
  it('is recorded in the ticket once', () => {
    given(...served)
      .when(sendElsewhere)
      .then({ type: 'MessageSentExternally', externalId: 'phone-9', messageId: 9, quotedId: null, queueId: 5, ...messageContent })
    given(...served, sentElsewhere)
      .when(sendElsewhere)
      .nothing()
  })
  it('quotes a message of an earlier ticket with its text', () => {
    const earlier = { messageId: 2, quote: { from: 'contact' as const, kind: 'chat' as const, body: 'Tem azul?' } }
    const { by: _, ...fact } = sentElsewhere
    given(...served)
      .when({ ...sendElsewhere, quotedExternalId: 'in-2', earlier })
      .then({ ...fact, quotedId: 2, quote: earlier.quote })
  })
  it('records that it was forwarded (A-MSG-08)', () => {
    const { by: _, ...fact } = sentElsewhere
    given(...served)
      .when({ ...sendElsewhere, forwarded: true })
      .then({ ...fact, forwarded: true })
  })
  it('opens a ticket if there is none', () =>
    expect(
      given()
        .when(sendElsewhere)
        .facts()
        .map(({ type }) => type),
    ).toEqual(['TicketOpened', 'MessageSentExternally']))
  it('is refused by a closed ticket, so that the next ticket records it', () =>
    given(...served, closed)
      .when(sendElsewhere)
      .refused('ERR_TICKET_NOT_OPEN'))
  it('marks the contact’s messages as read and ends the bot (A-BOT-08)', () =>
    expect(given({ ...waiting, by: contact }, received(1), sentElsewhere).folded()).toMatchObject({
      ...{ unread: 0, inboundCount: 1, readCount: 1, last: { from: 'us' }, bot: { over: true } },
      messages: new Map([
        [1, expect.objectContaining({ from: 'contact' })],
        [9, expect.objectContaining({ from: 'us', userId: null, ack: 1 })],
      ]),
    }))
  it('takes receipts, edits, removals and reactions', () => {
    given(...served, sentElsewhere)
      .when({ type: 'Mark', mark: 'read', externalIds: ['phone-9'] })
      .then({ type: 'MessagesRead', messageIds: [9] })
    given(...served, sentElsewhere)
      .when({ type: 'EditExternally', externalId: 'phone-9', body: 'assim', by: system })
      .then({ type: 'MessageEdited', messageId: 9, body: 'assim' })
    given(...served, sentElsewhere)
      .when({ type: 'RemoveExternally', externalId: 'phone-9', by: system })
      .then({ type: 'MessageRemoved', messageId: 9, from: 'us' })
    given(...served, received(1))
      .when({ type: 'ReactExternally', externalId: 'in-1', emoji: '👍', by: system })
      .then({ type: 'MessageReacted', messageId: 1, emoji: '👍', from: 'us' })
    given(...served, received(1))
      .when({ type: 'RemoveExternally', externalId: 'in-1', by: system })
      .nothing()
  })
})

describe('a message that was not delivered', () => {
  const not = (...externalIds: string[]) => ({ type: 'NotDelivered' as const, externalIds, code: '131026', by: system })
  it('fails with its code once, also before it was accepted', () => {
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
  it('stays failed if the sender’s answer arrives later', () =>
    given(...served, sent(1), failed(1))
      .when({ type: 'Accepted', messageId: 1 })
      .nothing())
  it('does not fail if it was delivered, unless in part, and a late delivery ends the failure', () => {
    given(...served, sent(1), { type: 'MessagesDelivered', messageIds: [1] })
      .when(not('out-1'))
      .nothing()
    given(...served, sent(1), { type: 'MessagesDelivered', messageIds: [1] })
      .when({ ...not('out-1'), partly: true }) // only its first part was delivered
      .then(failed(1))
    given(...served, sent(1), failed(1))
      .when({ type: 'Mark', mark: 'delivered', externalIds: ['out-1'] })
      .then({ type: 'MessagesDelivered', messageIds: [1] })
  })
  it('can be sent again', () =>
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

describe('a message that cannot be decrypted yet', () => {
  const come = { type: 'Receive' as const, externalId: 'in-1', participant: null, quotedExternalId: null, opening, by: contact }
  const waits = { ...received(1), body: '', undecryptable: true as const }
  it('is recorded without content, and its content replaces it once', () => {
    expect(
      given(...served)
        .when({ ...come, messageId: 1, ...messageContent, body: '', undecryptable: true })
        .facts(),
    ).toMatchObject([{ type: 'MessageReceived', body: '', undecryptable: true }])
    const read = { type: 'MessageDecrypted' as const, messageId: 1, ...messageContent, quotedId: null, body: 'agora sim' }
    given(...served, waits)
      .when({ ...come, messageId: 5, ...messageContent, body: 'agora sim' })
      .then(read)
    given(...served, waits, read)
      .when({ ...come, messageId: 5, ...messageContent, body: 'agora sim' })
      .nothing()
    given(...served, waits)
      .when({ ...come, messageId: 5, ...messageContent, body: '', undecryptable: true })
      .nothing()
  })
})
