import { describe, expect, it } from 'vitest'
import { awaitsConsent, consentText } from '#domain/ticket/consent.ts'
import type { Kind } from '#domain/ticket/events.ts'
import { by, contact, content, given, later, opening, sent, servedBy, system, user, waiting } from '#tests/support/story.ts'

const { quotedId: _, ...plain } = content
const text = 'a'.repeat(64)
const newer = 'b'.repeat(64)
const rule = 'A-LGPD-01'
const asked = (times = 1, asks = true, of = text) => ({ type: 'ConsentRequested' as const, times, asks, text: of, rule })
const accepted = (answered = true) => ({ type: 'ConsentGiven' as const, text, answered, rule })
const told = (body: string, kind: Kind = 'chat', messageId = 9) => ({
  ...{ messageId, externalId: `in-${messageId}`, participant: null, author: null },
  ...plain,
  ...{ kind, body },
})
const says = (body: string, consent: { text: string; asks: boolean } | null = { text, asks: true }, kind: Kind = 'chat') => ({
  ...{ type: 'Receive' as const, ...told(body, kind), quotedExternalId: null, opening, ...by(contact), at: later(1) },
  ...(consent && { consent }),
})
const heard = (body: string, kind: Kind = 'chat', messageId = 9) => ({
  ...{ type: 'MessageReceived' as const, ...told(body, kind, messageId), quotedId: null, queueId: 5 },
})
const began = [
  { ...waiting, ...by(contact) },
  { ...heard('quero comprar', 'chat', 1), ...by(contact) },
]
const left = (messageId: number) => [
  { ...sent(messageId), ...by(system) },
  { type: 'MessageDispatched' as const, messageId, attempt: 1 },
]
const asks = (times: number) => [asked(times), ...left(10 + times)]
const waits = [...began, ...asks(1)]
const refused = [
  { type: 'ConsentRefused' as const, text, rule },
  {
    ...{ type: 'TicketClosed' as const, reason: 'consentRefused' as const, farewell: false, waited: true },
    ...{ userId: null, successor: null, queueId: 5, rule },
  },
]

describe('consent (A-LGPD-01)', () => {
  it('is asked for behind the message that begins a conversation, which waits for nobody until then', () => {
    given()
      .when(says('oi'))
      .then({ type: 'TicketOpened', ...opening }, heard('oi'), asked())
    expect(given(...waits).folded()).toMatchObject({ status: 'lgpd', waitingSince: null, consent: { first: 1, given: null } })
  })
  it('is asked for anew where a closed ticket goes on', () => {
    const closing = { ...refused[1]!, ...by(contact) } as const
    given(...waits, { ...refused[0]! }, closing)
      .when({ ...says('oi'), resumes: { withinMs: 60_000, queueId: null } })
      .then({ type: 'TicketResumed', queueId: null, rule: 'A-EXP-04' }, { ...heard('oi'), queueId: null }, asked())
  })
  it('is not asked for in the middle of a conversation, nor of who has accepted', () => {
    given(...began)
      .when(says('oi'))
      .then(heard('oi'))
    given()
      .when(says('oi', null))
      .then({ type: 'TicketOpened', ...opening }, heard('oi'))
  })
  it('that is only told goes on at once', () =>
    given()
      .when(says('oi', { text, asks: false }))
      .then({ type: 'TicketOpened', ...opening }, heard('oi'), asked(1, false), accepted(false)))

  it.each([
    '1',
    ' １ ',
    '1️⃣',
    '*1*',
    'Aceito',
    'aceito!',
    'ACEPTO',
    'I accept',
    'um',
    'kabul ediyorum',
    'sim',
    'Sí.',
    'evet',
    'S',
    'ok',
    'Concordo.',
  ])('is given by %j', (body) =>
    given(...waits)
      .when(says(body))
      .then(heard(body), accepted()),
  )
  it.each(['2', 'Não aceito', 'nao aceito', 'no acepto', 'dois', 'não', 'No!', 'hayır', 'n', 'Não concordo'])(
    'is refused by %j, which closes it without a word',
    (body) =>
      given(...waits)
        .when(says(body))
        .then(heard(body), ...refused),
  )
  it.each([
    ...(['3', '0', '12', 'sim, mas', '', 'oi'] as const).map((body) => [body, 'chat'] as const),
    ...([
      ['1', 'image'],
      ['', 'audio'],
    ] as const),
  ])('%j as %s is no answer, and it is asked for again', (body, kind) =>
    given(...waits)
      .when(says(body, undefined, kind))
      .then(heard(body, kind), asked(2)),
  )
  it('is asked for three times more, then no more, and an answer still counts', () => {
    given(...waits, ...asks(2), ...asks(3))
      .when(says('oi'))
      .then(heard('oi'), asked(4))
    for (const [body, facts] of [
      ['oi', []],
      ['1', [accepted()]],
    ] as const)
      given(...waits, ...asks(2), ...asks(3), ...asks(4))
        .when(says(body))
        .then(heard(body), ...facts)
  })
  it.each(['oi', 'ok', 'sim', '2'])('is neither given, refused nor asked for again by %j, written before the text left', (body) => {
    for (const unseen of [[asked()], [asked(), left(11)[0]!]])
      given(...began, ...unseen)
        .when(says(body))
        .then(heard(body))
    given(...waits)
      .when({ ...says(body), at: later(10), occurredAt: later(-6) })
      .then({ ...heard(body), occurredAt: later(-6) } as never)
  })
  it('is asked for again once those who wrote on had time to read it', () => {
    given(...waits)
      .when({ ...says('tudo bem?'), at: later(0.1) })
      .then(heard('tudo bem?'))
    given(...waits, asked(2))
      .when(says('rápido'))
      .then(heard('rápido'))
    given(...waits, asked(2)) // it was there to be read before
      .when(says('1'))
      .then(heard('1'), accepted())
    given(...waits, asked(2, true, newer))
      .when(says('1'))
      .then(heard('1'))
  })
  it('takes no words for an answer that came to light behind the text', () => {
    const hidden = { ...heard('ok'), undecryptable: true as const, ...by(contact) }
    given({ ...waiting, ...by(contact) }, hidden, ...asks(1))
      .when(says('ok'))
      .then({ type: 'MessageDecrypted', messageId: 9, ...plain, kind: 'chat', body: 'ok', quotedId: null })
  })
  it('is asked for again in the text of today', () =>
    given(...waits)
      .when(says('oi', { text: newer, asks: true }))
      .then(heard('oi'), asked(2, true, newer)))
  it('lets it wait for people where there is nothing to accept any more', () => {
    given(...waits)
      .when(says('oi', null))
      .then(heard('oi'), { type: 'TicketReturned', rule })
    given(...waits)
      .when(says('1', null))
      .then(heard('1'), accepted())
  })

  it('once given lets it wait from then on, and knows which message began it', () => {
    const now = given(...waits, heard('1'), { ...accepted(), at: later(1) }).folded()
    expect(now).toMatchObject({ status: 'pending', waitingSince: later(1), consent: { first: 1, given: 6 } })
    if (!('consent' in now)) return expect.unreachable()
    expect([0, 1, 5, 6, 7].map((revision) => awaitsConsent(now, revision))).toEqual([false, true, true, false, false])
  })
  it('lets the bot answer the first message as if nothing had been written since', () => {
    const close = {
      type: 'Automate' as const,
      answers: 1,
      from: -1,
      acts: [{ rule: 'A', reason: 'leaf', effects: [{ does: 'close' as const }] }],
    }
    given(...waits, { ...heard('1'), ...by(contact) }, accepted())
      .when({ ...close, ...by({ kind: 'bot', flowId: null }) })
      .then(
        { type: 'AutomationActed', rule: 'A', reason: 'leaf', answers: 1 },
        {
          ...{ type: 'TicketClosed', reason: 'bot', farewell: false, waited: true },
          ...{ userId: null, successor: null, queueId: 5 },
        },
      )
  })
  it('keeps the bot silent until then', () =>
    given(...waits)
      .when({ type: 'Automate', answers: 1, from: -1, acts: [{ rule: 'A', reason: 'leaf', effects: [] }], ...by(system) })
      .nothing())

  it('may be passed over by an agent, which gives none', () => {
    given(...waits)
      .when({ type: 'Accept', userId: 7, queueId: null })
      .then({ type: 'TicketAccepted', userId: 7, queueId: 5, waited: false })
    given(...waits, servedBy(7))
      .when(says('1'))
      .then(heard('1'))
  })
  it('may be ignored by who may close what waits, which can be taken back', () => {
    const ignore = { type: 'Close' as const, reason: 'ignored' as const, farewell: false, tagMissing: false }
    given(...waits)
      .when({ ...ignore, mayCloseWaiting: false })
      .refused('ERR_NO_PERMISSION')
    const closed = { ...refused[1]!, reason: 'ignored', ...by(user(7)) } as any
    const back = {
      ...{ type: 'ActUndone' as const, act: 5, what: 'closed' as const, status: 'lgpd' as const, userId: null },
      ...{ queueId: 5, unread: 1, waitingSince: null, transferred: false },
    }
    given(...waits, closed, back)
      .when(says('1'))
      .then(heard('1'), accepted())
  })
  it('keeps it from being transferred', () =>
    given(...waits)
      .when({ type: 'Transfer', userId: null, queueId: 6, suits: true, successor: null, note: null })
      .refused('ERR_TICKET_NOT_OPEN'))
})

describe('the text', () => {
  it('has its link and the two answers below it', () =>
    expect(consentText('Usamos seus dados.', 'https://x.test', true, 'pt-BR')).toBe(
      'Usamos seus dados.\nhttps://x.test\n\n*[ 1 ]* - Aceito\n*[ 2 ]* - Não aceito',
    ))
  it('asks nothing where it only tells', () => expect(consentText(' Usamos seus dados. ', '', false, 'tr')).toBe('Usamos seus dados.'))
  it('is none where nothing was written', () => expect(consentText(' ', '', true, 'en')).toBeNull())
})
