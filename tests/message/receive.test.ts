import { describe, expect, it } from 'vitest'
import { by, closed, contact, content, deleted, given, opening, received, sent, servedBy, unqueued, waiting } from '#tests/support/story.ts'

const { quotedId: _, ...messageContent } = content
const receive = {
  ...{ type: 'Receive' as const, messageId: 31, externalId: 'in-31', participant: null, quotedExternalId: null as string | null, opening },
  ...messageContent,
  ...by(contact),
}
const messageReceived = {
  ...{ type: 'MessageReceived' as const, messageId: 31, externalId: 'in-31', participant: null, author: null, queueId: 5 as number | null },
  ...content,
}

describe('a message of the contact', () => {
  it('is recorded in a waiting or served ticket', () => {
    given(waiting).when(receive).then(messageReceived)
    given(waiting, servedBy(7)).when(receive).then(messageReceived)
  })
  it('opens the ticket in the same append if there is none (A-TICKET-01)', () =>
    given()
      .when(receive)
      .then({ type: 'TicketOpened', ...opening }, messageReceived))
  it('is in the queue of the opening first, and in the ticket’s queue later', () => {
    given()
      .when({ ...receive, opening: { ...opening, queueId: null } })
      .then({ type: 'TicketOpened', ...opening, queueId: null }, { ...messageReceived, queueId: null })
    given(unqueued, { type: 'TicketQueued', queueId: 6 })
      .when(receive)
      .then({ ...messageReceived, queueId: 6 })
  })
  it('is recorded once, however often the provider repeats it', () => {
    given(waiting, received(30, { externalId: 'in-31' }))
      .when(receive)
      .nothing()
    given(waiting, sent(30, { externalId: 'in-31' }))
      .when(receive)
      .nothing()
  })
  it('is recorded once, also after the ticket was closed', () =>
    given(waiting, received(30, { externalId: 'in-31' }), closed)
      .when(receive)
      .nothing())
  it('references the message that it quotes', () =>
    given(waiting, sent(30))
      .when({ ...receive, quotedExternalId: 'out-30' })
      .then({ ...messageReceived, quotedId: 30 }))
  it('quotes a message of an earlier ticket with its text if the id is not in this ticket', () => {
    const earlier = { messageId: 12, quote: { from: 'us' as const, kind: 'chat' as const, body: 'Dez reais' } }
    for (const happened of [[waiting], [waiting, sent(30)]])
      given(...happened)
        .when({ ...receive, quotedExternalId: 'out-12', earlier })
        .then({ ...messageReceived, quotedId: 12, quote: earlier.quote })
    expect(
      given()
        .when({ ...receive, quotedExternalId: 'out-12', earlier })
        .facts(),
    ).toMatchObject([{ type: 'TicketOpened' }, { quotedId: 12, quote: earlier.quote }])
    given(waiting, sent(30))
      .when({ ...receive, quotedExternalId: 'out-30', earlier })
      .then({ ...messageReceived, quotedId: 30 })
  })
  it('has no quote if the quoted message is unknown', () =>
    given(waiting)
      .when({ ...receive, quotedExternalId: 'elsewhere' })
      .then(messageReceived))
  it('is refused by a closed ticket, so that another ticket opens', () => {
    given(waiting, closed).when(receive).refused('ERR_TICKET_NOT_OPEN')
    given(waiting, deleted).when(receive).refused('ERR_NO_TICKET_FOUND')
  })
  it('becomes the last message', () =>
    expect(given(waiting, servedBy(7), sent(30), received(31)).folded()).toMatchObject({ last: { from: 'contact' }, unread: 1 }))
})
