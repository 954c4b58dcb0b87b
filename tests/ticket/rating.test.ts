import { describe, expect, it } from 'vitest'
import type { Media } from '#domain/ticket/events.ts'
import { asking, ratingIn } from '#domain/ticket/rating.ts'
import { rateOf } from '#domain/ticket/rules.ts'
import { by, contact, given, inGroup, later, never, opened, sent, servedBy, system, user, waiting } from '#tests/support/story.ts'

const close = {
  ...{ type: 'Close' as const, reason: 'agent' as const, farewell: true, mayCloseWaiting: true, tagMissing: false, rates: true as const },
}
const asked = (times = 1) => ({ type: 'RatingRequested' as const, times, rule: 'A-NPS-02' })
const closedAs = (reason: 'rated' | 'unrated', resolvedAt = later(0)) => ({
  ...{ type: 'TicketClosed' as const, reason, farewell: reason === 'rated', waited: false, userId: 7, successor: null, queueId: 5 },
  ...{ rule: 'A-NPS-02', resolvedAt },
})
const messageFields = (body: string, kind: 'chat' | 'audio' = 'chat') => ({
  ...{ messageId: 9, externalId: 'in-9', participant: null, author: null, kind, body, media: null, vCard: null },
})
const receive = (body: string, kind: 'chat' | 'audio' = 'chat', mostRatings = 3) => ({
  ...{
    type: 'Receive' as const,
    ...messageFields(body, kind),
    quotedExternalId: null,
    opening: { ...(opened() as any) },
    mostRatings,
    ...by(contact),
  },
})
const received = (body: string, kind: 'chat' | 'audio' = 'chat') => ({
  type: 'MessageReceived' as const,
  ...messageFields(body, kind),
  quotedId: null,
  queueId: 5,
})
const sticker: Media = { key: 'k', mime: 'image/webp', size: 1, name: 'sticker.webp', width: null, height: null, seconds: null }
const justResolved = [waiting, servedBy(7), sent(1), asked()]
const question = { ...sent(2, { actionRevision: 3 }), ...by(system) }
const resolved = [...justResolved, question]

describe('the rating in an answer (A-NPS-01)', () => {
  it.each([
    ...([
      ['0', 0],
      ['10', 10],
      [' 7 ', 7],
      ['9!', 9],
      ['８', 8],
      ['1️⃣', 1],
      ['n10', 10],
      ['07', 7],
      ['10!!', 10],
      ['10/10', 10],
      ['7 / 10', 7],
      ['dez', 10],
      ['Nota dez!', 10],
      ['nota: 9', 9],
      ['*nota 8*', 8],
      ['Minha nota é 10', 10],
      ['*Maria:*\n10', 10],
      ['Maria:\n10', 10],
      ['*Maria Silva:* 9', 9],
      ['10 👏', 10],
      ['10, muito bom', 10],
      ['10 muito bom!', 10],
      ['Dou nota 10', 10],
      ['dou uma nota 9, obrigada', 9],
      ['nota dez!', 10],
      ['10,0', 10],
      ['8.0', 8],
      ['🔟', 10],
      ['\u200e10', 10],
      ['1\u200b0', 10],
      ['1️⃣0️⃣', 10],
      ['9 de 10', 9],
      ['Maria: 10', 10],
      ['*Maria*\n10', 10],
      ['nota10', 10],
      ['8, demorou 2 dias', 8],
      ['Zero, péssimo atendimento', 0],
      ['Dez com certeza', 10],
      ['10,00', 10],
      ['vou dar 10', 10],
      ['Atendimento nota 10, vocês são demais, parabéns a toda a equipe da loja!', 10],
    ] as const),
    ...([
      ['11', null],
      ['-1', null],
      ['-5', null],
      ['– 5', null],
      ['', null],
      ['on line', null],
      ['11/10', null],
      ['nota', null],
      ['2 vezes', null],
      ['👍', null],
      ['10 minutos esperando', null],
      ['já esperei 10 dias', null],
      ['pedido 7 não chegou', null],
      ['7 ou 8', null],
      ['1 produto veio quebrado', null],
      ['1 coisa: não funcionou', null],
      ['2 via do boleto', null],
      ['9 da manhã', null],
      ['5 mil', null],
      ['1 atendente por favor', null],
      ['um problema, de novo', null],
      ['9,5', null],
      ['10 motivos? nenhum', null],
      ['Não funcionou! Preciso de ajuda urgente', null],
    ] as const),
  ])('%j is %s', (body, nps) => expect(ratingIn('chat', body)).toBe(nps))
  it('is never taken from a picture or a voice message', () => expect(ratingIn('audio', '9')).toBeNull())
  it('is mapped to one of five faces', () =>
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(rateOf)).toEqual([1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]))
  it('is requested as a number if the text does not say so', () => {
    expect(asking('De 0 a 10, como foi?', 'pt-BR')).toBe('De 0 a 10, como foi?')
    expect(asking('Como foi?', 'en')).toBe('Como foi?\nReply with a number from 0 to 10.')
  })
})

describe('resolving a ticket with a rating (A-NPS-02)', () => {
  it('requests the rating first and keeps the owner', () => {
    given(waiting, servedBy(7), sent(1)).when(close).then(asked())
    expect(given(...resolved).folded()).toMatchObject({ status: 'nps', userId: 7, queueId: 5, unread: 0 })
  })
  it('closes the ticket without a request if nobody serves it or it is a group', () => {
    given(waiting)
      .when(close)
      .then({ ...closedAs('rated'), ...{ reason: 'agent', waited: true, userId: null }, rule: undefined, resolvedAt: undefined } as never)
    expect(() => given(inGroup, servedBy(7)).when(close).then(asked())).toThrow()
  })
  it('records the rating and closes the ticket at the time when it was resolved', () => {
    given(...resolved)
      .when({ ...receive('9'), at: later(30) })
      .then(received('9'), { type: 'TicketRated', rating: 9 }, closedAs('rated'))
    expect(given(...resolved, { type: 'TicketRated', rating: 9 }, closedAs('rated')).folded()).toMatchObject({
      status: 'closed',
      rating: null,
    })
  })
  it('repeats the request after other answers, up to the limit', () => {
    given(...resolved)
      .when(receive('obrigada'))
      .then(received('obrigada'), asked(2))
    given(...resolved, asked(2))
      .when({ ...receive(''), kind: 'image', media: sticker })
      .then({ ...received(''), kind: 'image', media: sticker }, asked(3))
    given(...resolved, asked(2), asked(3))
      .when(receive('tchau'))
      .then(received('tchau'), { type: 'RatingMissed', why: 'answers', rule: 'A-NPS-02' }, closedAs('unrated'))
    given(...resolved, asked(2), asked(3))
      .when(receive('10'))
      .then(received('10'), { type: 'TicketRated', rating: 10 }, closedAs('rated'))
  })
  it('reopens the ticket for its owner on a message written before the question', () => {
    const goesOn = { type: 'TicketReopened' as const, userId: 7, queueId: 5, rule: 'A-NPS-02' }
    for (const words of ['2', 'tchau'])
      given(...justResolved)
        .when(receive(words))
        .then(goesOn, received(words))
    const unread = { ...receive('2'), undecryptable: true as const }
    given(...justResolved)
      .when(unread)
      .then(goesOn, { ...received('2'), undecryptable: true } as never)
    given(...justResolved)
      .when({ ...receive('', 'chat'), kind: 'call_log' })
      .then({ ...received(''), kind: 'call_log' } as never)
    const back = given(...justResolved, goesOn, { ...received('2'), ...by(contact) })
    expect(back.folded()).toMatchObject({ status: 'open', userId: 7, unread: 1, rating: null, undoableAction: null })
    expect(given(...justResolved, goesOn, asked(), { ...sent(2, { actionRevision: 3 }), ...by(system) }).folded()).toMatchObject({
      rating: { actionRevision: 5, asked: null }, // the first question, which is no longer needed
    })
  })
  it('reopens the ticket for its owner on a message that is neither a rating nor small talk', () => {
    const goesOn = { type: 'TicketReopened' as const, userId: 7, queueId: 5, rule: 'A-NPS-02' }
    for (const words of [
      'Não funcionou',
      'Socorro',
      'Não funcionou! Preciso de ajuda urgente',
      'e o boleto?',
      'Obrigada, mas ainda não recebi o pedido',
    ])
      given(...resolved, asked(2))
        .when(receive(words))
        .then(goesOn, received(words))
    given(...resolved)
      .when(receive('', 'audio'))
      .then(goesOn, received('', 'audio'))
    const back = given(...resolved, goesOn, { ...received('e o boleto?'), ...by(contact) })
    expect(back.folded()).toMatchObject({ status: 'open', userId: 7, unread: 1, rating: null })
    given(...resolved, goesOn)
      .when(close)
      .then(asked())
    const hidden = { ...received(''), undecryptable: true as const, ...by(contact) }
    given(...resolved, hidden)
      .when(receive('e o boleto?'))
      .then({ type: 'MessageDecrypted', messageId: 9, kind: 'chat', body: 'e o boleto?', media: null, vCard: null, quotedId: null }, goesOn)
  })
  it('takes no rating from a message decrypted after the question that was sent before it', () => {
    const hidden = { ...received('2'), undecryptable: true as const, ...by(contact) }
    given(waiting, servedBy(7), hidden, asked(), question)
      .when(receive('2'))
      .then({ type: 'MessageDecrypted', messageId: 9, kind: 'chat', body: '2', media: null, vCard: null, quotedId: null })
    given(...resolved, hidden)
      .when(receive('2'))
      .then(
        { type: 'MessageDecrypted', messageId: 9, kind: 'chat', body: '2', media: null, vCard: null, quotedId: null },
        { type: 'TicketRated', rating: 2 },
        closedAs('rated'),
      )
  })
  it('closes the ticket without a rating if nobody answers in time', () => {
    const wait = (minutes: number) => ({
      type: 'ApplyTimeout' as const,
      policy: { ...never, ratingMs: 20 * 60_000 },
      at: later(minutes),
      ...by(system),
    })
    given(...resolved)
      .when(wait(19))
      .nothing()
    given(...resolved)
      .when(wait(20))
      .then({ type: 'RatingMissed', why: 'expired', rule: 'A-NPS-02' }, closedAs('unrated'))
    given(...resolved, { ...asked(2), at: later(15) })
      .when(wait(20))
      .nothing()
  })
  it('closes the ticket at the time when it was resolved, whoever ends the wait', () => {
    for (const reason of ['agent', 'closeAll', 'connectionRemoved', 'ignored'] as const) {
      const over = { ...closedAs('unrated'), reason, rule: undefined }
      given(...resolved, asked(2))
        .when({ ...close, reason, farewell: false, at: later(45) })
        .then(over as never)
    }
    expect(given(...resolved, { ...closedAs('unrated'), reason: 'agent' }).folded()).toMatchObject({ status: 'closed', rating: null })
    given(waiting, servedBy(7))
      .when({ ...close, rates: undefined } as never)
      .then({ ...closedAs('rated'), reason: 'agent', rule: undefined, resolvedAt: undefined } as never)
  })
  it('lets the agent reopen the ticket, and undo while nobody has answered', () => {
    const accept = { type: 'Accept' as const, userId: 7, queueId: null }
    given(...resolved)
      .when(accept)
      .then({ type: 'TicketReopened', userId: 7, queueId: 5 })
    expect(given(...resolved, { type: 'TicketReopened', userId: 7, queueId: 5 }).folded()).toMatchObject({ status: 'open', rating: null })
    const before = { status: 'open' as const, userId: 7, queueId: 5, unread: 0, waitingSince: null, transferred: false }
    given(...justResolved)
      .when({ type: 'Undo', seen: null })
      .then({ type: 'ActionUndone', actionRevision: 3, what: 'closed', ...before })
    given(...resolved, { ...asked(2), ...by(contact) })
      .when({ type: 'Undo', seen: null, ...by(user(8)) })
      .refused('ERR_UNDO_GONE')
  })
  it('refuses transfers, ignores returns and follows a queue change while it waits for a rating', () => {
    given(...resolved)
      .when({ type: 'Transfer', userId: 8, queueId: 6, suits: true, successor: null, note: null })
      .refused('ERR_TICKET_NOT_OPEN')
    given(...resolved)
      .when({ type: 'Return', userId: 7, admin: true })
      .nothing()
    given(...resolved)
      .when({ type: 'Release', userId: 7 })
      .nothing()
    given(...resolved)
      .when({ type: 'Move', queueId: 6, suits: true })
      .then({ type: 'TicketQueued', queueId: 6, retiredQueueId: 5 })
  })
})
