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
const messageFields = (body: string, kind: Kind = 'chat', messageId = 9) => ({
  ...{ messageId, externalId: `in-${messageId}`, participant: null, author: null },
  ...plain,
  ...{ kind, body },
})
const receive = (body: string, consent: { text: string; asks: boolean } | null = { text, asks: true }, kind: Kind = 'chat') => ({
  ...{ type: 'Receive' as const, ...messageFields(body, kind), quotedExternalId: null, opening, ...by(contact), at: later(1) },
  ...(consent && { consent }),
})
const received = (body: string, kind: Kind = 'chat', messageId = 9) => ({
  ...{ type: 'MessageReceived' as const, ...messageFields(body, kind, messageId), quotedId: null, queueId: 5 },
})
const conversation = [
  { ...waiting, ...by(contact) },
  { ...received('quero comprar', 'chat', 1), ...by(contact) },
]
const delivered = (messageId: number) => [
  { ...sent(messageId), ...by(system) },
  { type: 'MessageDispatched' as const, messageId, attempt: 1 },
]
const asks = (times: number) => [asked(times), ...delivered(10 + times)]
const awaitingConsent = [...conversation, ...asks(1)]
const consentRefused = [
  { type: 'ConsentRefused' as const, text, rule },
  {
    ...{ type: 'TicketClosed' as const, reason: 'consentRefused' as const, farewell: false, waited: true },
    ...{ userId: null, successor: null, queueId: 5, rule },
  },
]

describe('consent (A-LGPD-01)', () => {
  it('is requested after the first message; until then the ticket does not wait for agents', () => {
    given()
      .when(receive('oi'))
      .then({ type: 'TicketOpened', ...opening }, received('oi'), asked())
    expect(given(...awaitingConsent).folded()).toMatchObject({ status: 'lgpd', waitingSince: null, consent: { first: 1, given: null } })
  })
  it('is requested again when a closed ticket continues', () => {
    const closing = { ...consentRefused[1]!, ...by(contact) } as const
    given(...awaitingConsent, { ...consentRefused[0]! }, closing)
      .when({ ...receive('oi'), resumes: { withinMs: 60_000, queueId: null } })
      .then({ type: 'TicketResumed', queueId: null, rule: 'A-EXP-04' }, { ...received('oi'), queueId: null }, asked())
  })
  it('is not requested in the middle of a conversation, nor from a contact who has accepted', () => {
    given(...conversation)
      .when(receive('oi'))
      .then(received('oi'))
    given()
      .when(receive('oi', null))
      .then({ type: 'TicketOpened', ...opening }, received('oi'))
  })
  it('is given at once if the text asks for no answer', () =>
    given()
      .when(receive('oi', { text, asks: false }))
      .then({ type: 'TicketOpened', ...opening }, received('oi'), asked(1, false), accepted(false)))

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
    'ok 👍',
    'concordo 👍🏽',
    'ok obrigada',
    '*Maria:*\nok, obrigada',
    'de acordo, obrigado',
    'Sim, aceito',
    'Aceito sim!',
    'Li e aceito.',
    'aceito os termos',
    'Autorizo',
    'Yes, I agree 🙂',
    'Sí, acepto, gracias',
    'Okudum ve kabul ediyorum',
  ])('is given by %j', (body) =>
    given(...awaitingConsent)
      .when(receive(body))
      .then(received(body), accepted()),
  )
  it.each([
    '2',
    'Não aceito',
    'nao aceito',
    'no acepto',
    'dois',
    'não',
    'No!',
    'hayır',
    'n',
    'Não concordo',
    'Não aceito os termos',
    'não concordo, obrigada',
    'Não, não aceito',
    'Não autorizo 👎',
    'No autorizo',
  ])('is refused by %j, which closes the ticket without a message', (body) =>
    given(...awaitingConsent)
      .when(receive(body))
      .then(received(body), ...consentRefused),
  )
  it.each([
    ...(
      [
        '3',
        '0',
        '12',
        'sim, mas',
        'ok, mas não aceito',
        'aceito os termos?\nquais?',
        '👍',
        '',
        'oi',
        'sim 👎',
        'ok 👎',
        'aceito?',
        'Sim? ',
      ] as const
    ).map((body) => [body, 'chat'] as const),
    ...([
      ['1', 'image'],
      ['', 'audio'],
    ] as const),
  ])('the answer %j as %s is not understood, and consent is requested again', (body, kind) =>
    given(...awaitingConsent)
      .when(receive(body, undefined, kind))
      .then(received(body, kind), asked(2)),
  )
  it('is requested at most four times, and a later answer still counts', () => {
    given(...awaitingConsent, ...asks(2), ...asks(3))
      .when(receive('oi'))
      .then(received('oi'), asked(4))
    for (const [body, facts] of [
      ['oi', []],
      ['1', [accepted()]],
    ] as const)
      given(...awaitingConsent, ...asks(2), ...asks(3), ...asks(4))
        .when(receive(body))
        .then(received(body), ...facts)
  })
  it.each(['oi', 'ok', 'sim', '2'])('is not affected by %j if it was written before the text was delivered', (body) => {
    for (const unseen of [[asked()], [asked(), delivered(11)[0]!]])
      given(...conversation, ...unseen)
        .when(receive(body))
        .then(received(body))
    given(...awaitingConsent)
      .when({ ...receive(body), at: later(10), occurredAt: later(-6) })
      .then({ ...received(body), occurredAt: later(-6) } as never)
  })
  it('is requested again once the contact had time to read the text', () => {
    given(...awaitingConsent)
      .when({ ...receive('tudo bem?'), at: later(0.1) })
      .then(received('tudo bem?'))
    given(...awaitingConsent, asked(2))
      .when(receive('rápido'))
      .then(received('rápido'))
    given(...awaitingConsent, asked(2)) // readable since the first request
      .when(receive('1'))
      .then(received('1'), accepted())
    given(...awaitingConsent, asked(2, true, newer))
      .when(receive('1'))
      .then(received('1'))
  })
  it('is not given by a message that was decrypted after the text was sent', () => {
    const hidden = { ...received('ok'), undecryptable: true as const, ...by(contact) }
    given({ ...waiting, ...by(contact) }, hidden, ...asks(1))
      .when(receive('ok'))
      .then({ type: 'MessageDecrypted', messageId: 9, ...plain, kind: 'chat', body: 'ok', quotedId: null })
  })
  it('is requested again with the current text', () =>
    given(...awaitingConsent)
      .when(receive('oi', { text: newer, asks: true }))
      .then(received('oi'), asked(2, true, newer)))
  it('is no longer required once the company removes its text; the ticket waits for agents', () => {
    given(...awaitingConsent)
      .when(receive('oi', null))
      .then(received('oi'), { type: 'TicketReturned', rule })
    given(...awaitingConsent)
      .when(receive('1', null))
      .then(received('1'), accepted())
  })

  it('starts the waiting time when it is given, and keeps the first message', () => {
    const now = given(...awaitingConsent, received('1'), { ...accepted(), at: later(1) }).folded()
    expect(now).toMatchObject({ status: 'pending', waitingSince: later(1), consent: { first: 1, given: 6 } })
    if (!('consent' in now)) return expect.unreachable()
    expect([0, 1, 5, 6, 7].map((revision) => awaitsConsent(now, revision))).toEqual([false, true, true, false, false])
  })
  it('lets the bot answer the first message once it is given', () => {
    const close = {
      type: 'Automate' as const,
      answers: 1,
      from: -1,
      acts: [{ rule: 'A', reason: 'leaf', effects: [{ does: 'close' as const }] }],
    }
    given(...awaitingConsent, { ...received('1'), ...by(contact) }, accepted())
      .when({ ...close, ...by({ kind: 'bot', flowId: null }) })
      .then(
        { type: 'AutomationActed', rule: 'A', reason: 'leaf', answers: 1 },
        {
          ...{ type: 'TicketClosed', reason: 'bot', farewell: false, waited: true },
          ...{ userId: null, successor: null, queueId: 5 },
        },
      )
  })
  it('keeps the bot silent until it is given', () =>
    given(...awaitingConsent)
      .when({ type: 'Automate', answers: 1, from: -1, acts: [{ rule: 'A', reason: 'leaf', effects: [] }], ...by(system) })
      .nothing())

  it('is skipped when an agent accepts the ticket, and is not given by that', () => {
    given(...awaitingConsent)
      .when({ type: 'Accept', userId: 7, queueId: null })
      .then({ type: 'TicketAccepted', userId: 7, queueId: 5, waited: false })
    given(...awaitingConsent, servedBy(7))
      .when(receive('1'))
      .then(received('1'))
  })
  it('can be ignored by a user who may close waiting tickets, and that can be undone', () => {
    const ignore = { type: 'Close' as const, reason: 'ignored' as const, farewell: false, tagMissing: false }
    given(...awaitingConsent)
      .when({ ...ignore, mayCloseWaiting: false })
      .refused('ERR_NO_PERMISSION')
    const closed = { ...consentRefused[1]!, reason: 'ignored', ...by(user(7)) } as any
    const back = {
      ...{ type: 'ActionUndone' as const, actionRevision: 5, what: 'closed' as const, status: 'lgpd' as const, userId: null },
      ...{ queueId: 5, unread: 1, waitingSince: null, transferred: false },
    }
    given(...awaitingConsent, closed, back)
      .when(receive('1'))
      .then(received('1'), accepted())
  })
  it('blocks a transfer until it is given', () =>
    given(...awaitingConsent)
      .when({ type: 'Transfer', userId: null, queueId: 6, suits: true, successor: null, note: null })
      .refused('ERR_TICKET_NOT_OPEN'))
})

describe('the consent text', () => {
  it('contains the link and the two possible answers', () =>
    expect(consentText('Usamos seus dados.', 'https://x.test', true, 'pt-BR')).toBe(
      'Usamos seus dados.\nhttps://x.test\n\n*[ 1 ]* - Aceito\n*[ 2 ]* - Não aceito',
    ))
  it('contains no answers if it only informs', () =>
    expect(consentText(' Usamos seus dados. ', '', false, 'tr')).toBe('Usamos seus dados.'))
  it('is absent if nothing was written', () => expect(consentText(' ', '', true, 'en')).toBeNull())
})
