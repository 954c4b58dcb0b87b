import { describe, expect, it } from 'vitest'
import { by, closed, content, deleted, given, inGroup, received, sent, servedBy, system, user, waiting } from '#tests/support/story.ts'

const send = {
  ...{ type: 'Send' as const, messageId: 41, externalId: 'out-41', clientId: 'client-41', private: false, forwarded: false },
  ...{ seen: null as number | null, anyway: false, admin: false },
  ...content,
}
const { anyway: _, admin: __, ...messageSent } = { ...send, type: 'MessageSent' as const, queueId: 5 }

describe('sending (A-TICKET-21)', () => {
  it('is allowed for the owner of an open ticket', () => given(waiting, servedBy(7)).when(send).then(messageSent))
  it('is allowed for an admin in an open ticket', () =>
    given(waiting, servedBy(8))
      .when({ ...send, admin: true })
      .then({ ...messageSent, reads: false }))
  it('is refused for any other agent', () => given(waiting, servedBy(8)).when(send).refused('ERR_NO_PERMISSION'))
  it('is allowed for anyone in a group', () => given(inGroup, servedBy(8)).when(send).then(messageSent))
  it('is refused while the ticket waits or is closed, even for an admin (R-MSG-01)', () => {
    given(waiting)
      .when({ ...send, admin: true })
      .refused('ERR_SENDING_WAPP_MSG')
    given(waiting, servedBy(7), closed).when(send).refused('ERR_SENDING_WAPP_MSG')
  })
  it('is refused for a missing or deleted ticket', () => {
    given().when(send).refused('ERR_NO_TICKET_FOUND')
    given(waiting, deleted).when(send).refused('ERR_NO_TICKET_FOUND')
  })
  it('is allowed for the system in any status, for example for a farewell', () =>
    given(waiting, closed)
      .when({ ...send, ...by(system) })
      .then(messageSent))
  it('of an internal message is allowed for anyone in any status (R-MSG-14)', () => {
    given(waiting)
      .when({ ...send, private: true })
      .then({ ...messageSent, private: true })
    given(waiting, servedBy(8), closed)
      .when({ ...send, private: true })
      .then({ ...messageSent, private: true })
  })
  it('does nothing the second time, by the client’s id', () =>
    given(waiting, servedBy(7), sent(40, { clientId: 'client-41' }))
      .when(send)
      .nothing())
  it('does nothing the second time, also if the ticket was closed since', () =>
    given(waiting, servedBy(7), sent(40, { clientId: 'client-41' }), closed)
      .when(send)
      .nothing())
})

describe('the content of a message', () => {
  it('is not a blank text (R-MSG-02)', () =>
    given(waiting, servedBy(7))
      .when({ ...send, body: ' \n\t ' })
      .refused('ERR_INVALID_INPUT'))
  it('can be a contact card or a file without text', () => {
    const vCard = 'BEGIN:VCARD'
    const media = { key: 'a', mime: 'image/png', name: 'a.png', size: 1, width: 1, height: 1, seconds: null }
    given(waiting, servedBy(7))
      .when({ ...send, body: '', vCard })
      .then({ ...messageSent, body: '', vCard })
    given(waiting, servedBy(7))
      .when({ ...send, kind: 'image', body: '', media })
      .then({ ...messageSent, kind: 'image', body: '', media })
  })
  it('can be interactive, with the same choice as text', () => {
    const rows = [{ id: '1', title: 'Manhã', description: '' }]
    const interactive = { kind: 'list' as const, title: 'Horários', description: '', buttonText: 'Ver', sections: [{ title: '', rows }] }
    given(waiting, servedBy(7))
      .when({ ...send, kind: 'interactiveMessage', body: 'Horários\n\n1. Manhã', interactive })
      .then({ ...messageSent, kind: 'interactiveMessage', body: 'Horários\n\n1. Manhã', interactive })
  })
  it('can quote only a message of this ticket', () => {
    given(waiting, servedBy(7), received(3))
      .when({ ...send, quotedId: 3 })
      .then({ ...messageSent, quotedId: 3 })
    given(waiting, servedBy(7))
      .when({ ...send, quotedId: 99 })
      .refused('ERR_FETCH_WAPP_MSG')
  })
  it('can quote a message of an earlier ticket with its text', () => {
    const quote = { from: 'contact' as const, kind: 'chat' as const, body: 'Tem azul?' }
    given(waiting, servedBy(7))
      .when({ ...send, quotedId: 2, quote })
      .then({ ...messageSent, quotedId: 2, quote })
  })
  it('can quote an internal message only internally', () => {
    const among = [waiting, servedBy(7), sent(3, { private: true })]
    given(...among)
      .when({ ...send, quotedId: 3 })
      .refused('ERR_FETCH_WAPP_MSG')
    given(...among)
      .when({ ...send, ...by(system), quotedId: 3 })
      .refused('ERR_FETCH_WAPP_MSG')
    given(...among)
      .when({ ...send, quotedId: 3, private: true })
      .then({ ...messageSent, quotedId: 3, private: true })
  })
})

describe('the stale-reply guard', () => {
  const answered = [waiting, servedBy(7), received(1), sent(2, by(user(9)))] // revisions 0 to 3
  it('refuses a reply that did not see another agent’s answer, and names that agent', () =>
    given(...answered)
      .when({ ...send, seen: 2 })
      .refused('ERR_TICKET_CHANGED', { userId: 9, revision: 3 }))
  it('allows the reply once the answer was seen', () =>
    given(...answered)
      .when({ ...send, seen: 3 })
      .then({ ...messageSent, seen: 3 }))
  it('allows the reply if the agent confirms it', () =>
    given(...answered)
      .when({ ...send, seen: 2, anyway: true })
      .then({ ...messageSent, seen: 2 }))
  it('allows the reply if the client does not report what was seen', () =>
    given(...answered)
      .when(send)
      .then(messageSent))
  it('ignores the agent’s own answers', () =>
    given(waiting, servedBy(7), sent(2))
      .when({ ...send, seen: 0 })
      .then({ ...messageSent, seen: 0 }))
  it('ignores newer messages of the contact and internal messages', () =>
    given(waiting, servedBy(7), received(1), sent(2, { private: true, ...by(user(9)) }))
      .when({ ...send, seen: 1 })
      .then({ ...messageSent, seen: 1, left: 1 }))
  it('includes messages of the system', () =>
    given(waiting, servedBy(7), sent(2, by(system)))
      .when({ ...send, seen: 1 })
      .refused('ERR_TICKET_CHANGED', { userId: null, revision: 2 }))
  it('never applies to internal messages', () =>
    given(...answered)
      .when({ ...send, seen: 2, private: true })
      .then({ ...messageSent, seen: 2, private: true }))
})

describe('an answer', () => {
  it('is stored as the last answer unless it is internal', () => {
    expect(given(waiting, servedBy(7), sent(2)).folded()).toMatchObject({ answered: { revision: 2, userId: 7 }, last: { from: 'us' } })
    expect(given(waiting, servedBy(7), sent(2, { private: true })).folded()).toMatchObject({ answered: null, last: null })
  })
})

describe('a forwarded message (A-MSG-08)', () => {
  const aside = { ...send, forwarded: true, aside: true as const }
  const forwardSent = { ...messageSent, forwarded: true, aside: true as const }
  it('is allowed in any status except closed, whoever owns the ticket', () => {
    given(waiting).when(aside).then(forwardSent)
    given(waiting, servedBy(8)).when(aside).then(forwardSent)
    given(waiting, servedBy(8), closed).when(aside).refused('ERR_TICKET_NOT_OPEN')
  })
  it('changes nothing in the ticket except its messages', () => {
    const before = given(waiting, servedBy(8), received(1)).folded()
    const {
      messages: _m,
      usedIds: _s,
      revision: _r,
      ...after
    } = given(waiting, servedBy(8), received(1), {
      ...forwardSent,
      messageId: 2,
    }).folded() as typeof before & { messages: unknown; usedIds: unknown; revision: number }
    expect(before).toMatchObject(after)
  })
})

describe('sending a failed message again', () => {
  it('is allowed for agents’ messages that have not arrived', () => {
    given(waiting, servedBy(7), sent(3), { type: 'MessageFailed', messageId: 3, code: 'X' })
      .when({ ...send, again: 3 })
      .then({ ...messageSent, again: 3 })
    given(waiting, servedBy(7), received(3))
      .when({ ...send, again: 3 })
      .refused('ERR_FETCH_WAPP_MSG')
    given(waiting, servedBy(7), sent(3), { type: 'MessageAccepted', messageId: 3 })
      .when({ ...send, again: 3 })
      .refused('ERR_FETCH_WAPP_MSG')
    given(waiting, servedBy(8), sent(3))
      .when({ ...send, again: 3 })
      .refused('ERR_NO_PERMISSION')
  })
  it('happens once', () => {
    const failed = [waiting, servedBy(7), sent(3), { type: 'MessageFailed', messageId: 3, code: 'X' } as const]
    const again = given(...failed, sent(4, { again: 3 }))
    again.when({ ...send, again: 3 }).nothing()
    expect(again.folded()).toMatchObject({
      messages: new Map([
        [3, expect.objectContaining({ sentAgain: 4 })],
        [4, expect.objectContaining({ sentAgain: null })],
      ]),
    })
  })
  it('is allowed again if the second attempt fails', () =>
    given(waiting, servedBy(7), sent(3), sent(4, { again: 3 }), { type: 'MessageFailed', messageId: 4, code: 'X' })
      .when({ ...send, again: 4 })
      .then({ ...messageSent, again: 4 }))
})
