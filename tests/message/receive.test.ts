import { describe, expect, it } from 'vitest'
import { by, closed, contact, content, deleted, given, opening, received, sent, servedBy, unqueued, waiting } from '#tests/support/story.ts'

const { quotedId: _, ...said } = content
const receive = {
  ...{ type: 'Receive' as const, messageId: 31, externalId: 'in-31', participant: null, quotedExternalId: null as string | null, opening },
  ...said,
  ...by(contact),
}
const fact = {
  ...{ type: 'MessageReceived' as const, messageId: 31, externalId: 'in-31', participant: null, author: null, queueId: 5 as number | null },
  ...content,
}

describe('a message of the contact', () => {
  it('stands in the ticket that waits or is served', () => {
    given(waiting).when(receive).then(fact)
    given(waiting, servedBy(7)).when(receive).then(fact)
  })
  it('opens the ticket with itself where there is none, in one append (A-TICKET-01)', () =>
    given()
      .when(receive)
      .then({ type: 'TicketOpened', ...opening }, fact))
  it('opens in the queue of the opening, and stands in the ticket’s own later', () => {
    given()
      .when({ ...receive, opening: { ...opening, queueId: null } })
      .then({ type: 'TicketOpened', ...opening, queueId: null }, { ...fact, queueId: null })
    given(unqueued, { type: 'TicketQueued', queueId: 6 })
      .when(receive)
      .then({ ...fact, queueId: 6 })
  })
  it('is taken once, however often the provider says it', () => {
    given(waiting, received(30, { externalId: 'in-31' }))
      .when(receive)
      .nothing()
    given(waiting, sent(30, { externalId: 'in-31' }))
      .when(receive)
      .nothing()
  })
  it('is taken once even after the ticket was closed', () =>
    given(waiting, received(30, { externalId: 'in-31' }), closed)
      .when(receive)
      .nothing())
  it('finds the message it quotes', () =>
    given(waiting, sent(30))
      .when({ ...receive, quotedExternalId: 'out-30' })
      .then({ ...fact, quotedId: 30 }))
  it('quotes one of an earlier ticket with its words, where that id is not one of here', () => {
    const earlier = { messageId: 12, quote: { from: 'us' as const, kind: 'chat' as const, body: 'Dez reais' } }
    for (const happened of [[waiting], [waiting, sent(30)]])
      given(...happened)
        .when({ ...receive, quotedExternalId: 'out-12', earlier })
        .then({ ...fact, quotedId: 12, quote: earlier.quote })
    expect(
      given()
        .when({ ...receive, quotedExternalId: 'out-12', earlier })
        .facts(),
    ).toMatchObject([{ type: 'TicketOpened' }, { quotedId: 12, quote: earlier.quote }])
    given(waiting, sent(30))
      .when({ ...receive, quotedExternalId: 'out-30', earlier })
      .then({ ...fact, quotedId: 30 })
  })
  it('stands without its quote where that is not here', () =>
    given(waiting)
      .when({ ...receive, quotedExternalId: 'elsewhere' })
      .then(fact))
  it('is refused by a ticket that is over, so that another opens', () => {
    given(waiting, closed).when(receive).refused('ERR_TICKET_NOT_OPEN')
    given(waiting, deleted).when(receive).refused('ERR_NO_TICKET_FOUND')
  })
  it('is the last word', () =>
    expect(given(waiting, servedBy(7), sent(30), received(31)).folded()).toMatchObject({ last: { from: 'contact' }, unread: 1 }))
})
