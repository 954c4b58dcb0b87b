import { describe, expect, it } from 'vitest'
import { by, closed, content, deleted, given, inGroup, received, sent, servedBy, system, user, waiting } from '#tests/support/story.ts'

const send = {
  ...{ type: 'Send' as const, messageId: 41, externalId: 'out-41', clientId: 'client-41', private: false, forwarded: false },
  ...{ seen: null as number | null, anyway: false, admin: false },
  ...content,
}
const { anyway: _, admin: __, ...told } = { ...send, type: 'MessageSent' as const, queueId: 5 }

describe('sending (A-TICKET-21)', () => {
  it('is the owner’s in an open ticket', () => given(waiting, servedBy(7)).when(send).then(told))
  it('is an admin’s in an open ticket', () =>
    given(waiting, servedBy(8))
      .when({ ...send, admin: true })
      .then({ ...told, reads: false }))
  it('is refused to any other agent', () => given(waiting, servedBy(8)).when(send).refused('ERR_NO_PERMISSION'))
  it('is anyone’s in a group', () => given(inGroup, servedBy(8)).when(send).then(told))
  it('is refused while the ticket waits or is closed, even to an admin (R-MSG-01)', () => {
    given(waiting)
      .when({ ...send, admin: true })
      .refused('ERR_SENDING_WAPP_MSG')
    given(waiting, servedBy(7), closed).when(send).refused('ERR_SENDING_WAPP_MSG')
  })
  it('is refused by a ticket that is not there, or no longer', () => {
    given().when(send).refused('ERR_NO_TICKET_FOUND')
    given(waiting, deleted).when(send).refused('ERR_NO_TICKET_FOUND')
  })
  it('lets the system speak in any status: a greeting, a farewell', () =>
    given(waiting, closed)
      .when({ ...send, ...by(system) })
      .then(told))
  it('lets anyone leave a word among us, in any status (R-MSG-14)', () => {
    given(waiting)
      .when({ ...send, private: true })
      .then({ ...told, private: true })
    given(waiting, servedBy(8), closed)
      .when({ ...send, private: true })
      .then({ ...told, private: true })
  })
  it('does nothing the second time, by the client’s id', () =>
    given(waiting, servedBy(7), sent(40, { clientId: 'client-41' }))
      .when(send)
      .nothing())
  it('answers the second time even when the ticket was closed since', () =>
    given(waiting, servedBy(7), sent(40, { clientId: 'client-41' }), closed)
      .when(send)
      .nothing())
})

describe('what may be sent', () => {
  it('is no blank text (R-MSG-02)', () =>
    given(waiting, servedBy(7))
      .when({ ...send, body: ' \n\t ' })
      .refused('ERR_INVALID_INPUT'))
  it('may be a card or a file without text', () => {
    const vCard = 'BEGIN:VCARD'
    const media = { key: 'a', mime: 'image/png', name: 'a.png', size: 1, width: 1, height: 1, seconds: null }
    given(waiting, servedBy(7))
      .when({ ...send, body: '', vCard })
      .then({ ...told, body: '', vCard })
    given(waiting, servedBy(7))
      .when({ ...send, kind: 'image', body: '', media })
      .then({ ...told, kind: 'image', body: '', media })
  })
  it('may let its reader choose, and says the same in words', () => {
    const rows = [{ id: '1', title: 'Manhã', description: '' }]
    const interactive = { kind: 'list' as const, title: 'Horários', description: '', buttonText: 'Ver', sections: [{ title: '', rows }] }
    given(waiting, servedBy(7))
      .when({ ...send, kind: 'interactiveMessage', body: 'Horários\n\n1. Manhã', interactive })
      .then({ ...told, kind: 'interactiveMessage', body: 'Horários\n\n1. Manhã', interactive })
  })
  it('quotes only what stands here', () => {
    given(waiting, servedBy(7), received(3))
      .when({ ...send, quotedId: 3 })
      .then({ ...told, quotedId: 3 })
    given(waiting, servedBy(7))
      .when({ ...send, quotedId: 99 })
      .refused('ERR_FETCH_WAPP_MSG')
  })
  it('quotes what was said in an earlier ticket with its words', () => {
    const quote = { from: 'contact' as const, kind: 'chat' as const, body: 'Tem azul?' }
    given(waiting, servedBy(7))
      .when({ ...send, quotedId: 2, quote })
      .then({ ...told, quotedId: 2, quote })
  })
  it('quotes what only we read to nobody but us', () => {
    const among = [waiting, servedBy(7), sent(3, { private: true })]
    given(...among)
      .when({ ...send, quotedId: 3 })
      .refused('ERR_FETCH_WAPP_MSG')
    given(...among)
      .when({ ...send, ...by(system), quotedId: 3 })
      .refused('ERR_FETCH_WAPP_MSG')
    given(...among)
      .when({ ...send, quotedId: 3, private: true })
      .then({ ...told, quotedId: 3, private: true })
  })
})

describe('the stale-reply guard', () => {
  const answered = [waiting, servedBy(7), received(1), sent(2, by(user(9)))] // revisions 0 to 3
  it('holds a reply that did not see another’s answer, and names it', () =>
    given(...answered)
      .when({ ...send, seen: 2 })
      .refused('ERR_TICKET_CHANGED', { userId: 9, revision: 3 }))
  it('lets it go once that was seen', () =>
    given(...answered)
      .when({ ...send, seen: 3 })
      .then({ ...told, seen: 3 }))
  it('lets it go when the agent says so', () =>
    given(...answered)
      .when({ ...send, seen: 2, anyway: true })
      .then({ ...told, seen: 2 }))
  it('lets it go where nothing was said about what was seen', () =>
    given(...answered)
      .when(send)
      .then(told))
  it('does not hold one back over one’s own answer', () =>
    given(waiting, servedBy(7), sent(2))
      .when({ ...send, seen: 0 })
      .then({ ...told, seen: 0 }))
  it('does not mind what the contact wrote meanwhile, nor a word among us', () =>
    given(waiting, servedBy(7), received(1), sent(2, { private: true, ...by(user(9)) }))
      .when({ ...send, seen: 1 })
      .then({ ...told, seen: 1, left: 1 }))
  it('minds what the system said', () =>
    given(waiting, servedBy(7), sent(2, by(system)))
      .when({ ...send, seen: 1 })
      .refused('ERR_TICKET_CHANGED', { userId: null, revision: 2 }))
  it('never holds a word among us', () =>
    given(...answered)
      .when({ ...send, seen: 2, private: true })
      .then({ ...told, seen: 2, private: true }))
})

describe('an answer', () => {
  it('is remembered as the last one, but for a word among us', () => {
    expect(given(waiting, servedBy(7), sent(2)).folded()).toMatchObject({ answered: { revision: 2, userId: 7 }, last: { from: 'us' } })
    expect(given(waiting, servedBy(7), sent(2, { private: true })).folded()).toMatchObject({ answered: null, last: null })
  })
})

describe('a forwarded message (A-MSG-08)', () => {
  const aside = { ...send, forwarded: true, aside: true as const }
  const said = { ...told, forwarded: true, aside: true as const }
  it('goes into a ticket whatever its status and owner, but a closed one', () => {
    given(waiting).when(aside).then(said)
    given(waiting, servedBy(8)).when(aside).then(said)
    given(waiting, servedBy(8), closed).when(aside).refused('ERR_TICKET_NOT_OPEN')
  })
  it('changes nothing in it but the message', () => {
    const before = given(waiting, servedBy(8), received(1)).folded()
    const {
      messages: _m,
      spent: _s,
      revision: _r,
      ...after
    } = given(waiting, servedBy(8), received(1), {
      ...said,
      messageId: 2,
    }).folded() as typeof before & { messages: unknown; spent: unknown; revision: number }
    expect(before).toMatchObject(after)
  })
})

describe('sending once more', () => {
  it('is for what is ours and is not known to have arrived', () => {
    given(waiting, servedBy(7), sent(3), { type: 'MessageFailed', messageId: 3, code: 'X' })
      .when({ ...send, again: 3 })
      .then({ ...told, again: 3 })
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
  it('is done once: the next one to ask finds it done', () => {
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
  it('goes on from what failed a second time', () =>
    given(waiting, servedBy(7), sent(3), sent(4, { again: 3 }), { type: 'MessageFailed', messageId: 4, code: 'X' })
      .when({ ...send, again: 4 })
      .then({ ...told, again: 4 }))
})
