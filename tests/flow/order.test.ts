import { describe, expect, it } from 'vitest'
import { compile, type MenuQueue } from '#domain/flow/menus.ts'
import { audioRefusal, decideReply, type Setup, type Situation, waitingNotice } from '#domain/flow/reply-rules.ts'
import { given, later, opened, received } from '#tests/support/story.ts'

const queue = (id: number, name: string): MenuQueue => ({
  ...{ id, name, greetingMessage: null, closeTicket: false, integrationId: null, fileListId: null, chatbots: [] },
})
const open = [{ weekdayEn: 'monday', startTimeA: '08:00', endTimeA: '12:00', startTimeB: '13:00', endTimeB: '18:00' }] // 12:00 UTC is 09:00 there
const shut = [{ weekdayEn: 'monday', startTimeA: '13:00', endTimeA: '18:00', startTimeB: '', endTimeB: '' }]
const queues = [queue(5, 'Vendas'), queue(6, 'Suporte')]
const setup: Setup = {
  ...{ language: 'pt-BR', timeZone: 'America/Sao_Paulo', holidays: [], hours: { of: 'disabled' }, vacation: null },
  ...{ takesAudio: true, botDisabled: false, group: false, greetsByFile: false, mostMenus: 3, quietMinutes: 0 },
  queues: new Map(queues.map(({ id }) => [id, { schedules: open, closedText: 'Fechado', assigns: false }])),
  flow: compile({
    greetingMessage: 'Olá',
    queueIds: [5, 6],
    queues,
    greetsForOne: false,
    language: 'pt-BR',
    handOverMessage: 'Alguém continua.',
  }),
}
const contact = { kind: 'contact' as const, id: 3 }
const bot = { by: { kind: 'bot' as const, flowId: null } }
const fresh = [opened({ queueId: null, ...{ by: contact } }), received(1)]

function situation(to: Partial<Setup> = {}, facts = fresh, message: Partial<Situation['message']> = {}): Situation {
  const ticket = given(...facts).folded()
  if (!('bot' in ticket)) return expect.unreachable('there is no ticket')
  return { ticket, message: { kind: 'chat', body: 'oi', at: later(1), ...message }, setup: { ...setup, ...to } }
}
const acts = (...of: Parameters<typeof situation>) =>
  decideReply(situation(...of)).outputs.map((one) => `${one.rule} ${one.does}${'text' in one ? ` ${one.text.split('\n')[0]}` : ''}`)
const closed = { of: 'company', schedules: shut, closedText: 'Abrimos às 13h' } as const
const holidays = { start: '2026-01-05', end: '2026-01-06', text: 'Férias!' }

describe('the order of rules for a message (A-BOT-01)', () => {
  it('is: disabled bot, vacation, hours, menus', () => {
    const all = { botDisabled: true, vacation: holidays, hours: closed }
    expect(acts({ ...all, group: true })).toEqual(['A-BOT-01 handOver'])
    expect(acts(all)).toEqual(['R-BOT-05 handOver'])
    expect(acts({ ...all, botDisabled: false })).toEqual(['A-VAC-01 say Férias!', 'A-VAC-01 pause'])
    expect(acts({ hours: closed })).toEqual(['A-HOURS-02 say Abrimos às 13h', 'A-HOURS-02 pause'])
    expect(acts()).toEqual(['A-BOT-02 wait Olá'])
  })
  it('excludes tickets that agents serve', () => {
    const accepted = { type: 'TicketAccepted' as const, userId: 7, queueId: 5, waited: true }
    expect(acts({}, [...fresh, accepted])).toEqual([])
    expect(acts({}, [...fresh, accepted, { type: 'TicketReturned' }])).toEqual([]) // A-TICKET-10
    expect(acts({}, [...fresh, { type: 'BotEnded', why: 'leaf' }])).toEqual([])
    expect(acts({}, [opened({ queueId: null }), received(1)])).toEqual([]) // an agent opened it
  })
  it('accepts an answer written before the menu only if it is a right one', () => {
    const asked = { type: 'BotMoved' as const, node: 'start/menu', menus: 1, answers: 1, at: later(1), ...bot }
    const early = [...fresh, received(2), asked]
    expect(acts({}, early, { body: 'tudo bem?', at: later(0) })).toEqual([])
    expect(acts({}, early, { body: '2', at: later(0) })).toEqual([
      'A-BOT-02 chose',
      'A-BOT-02 setQueue',
      'A-BOT-02 say *{fila}*: aguarde, alguém vai atender você por aqui.',
      'A-BOT-02 handOver',
    ])
    expect(acts({}, early, { body: 'tudo bem?', at: later(2) })).toHaveLength(1)
  })
  it('ignores wrong answers during the quiet time and accepts right ones (A-BOT-05)', () => {
    const asked = { type: 'BotMoved' as const, node: 'start/menu', menus: 1, answers: 1, at: later(1), ...bot }
    const answered = (body: string, minutes: number) =>
      acts({ quietMinutes: 5 }, [...fresh, asked, received(2)], { body, at: later(minutes) })
    expect([answered('o quê?', 5), answered('o quê?', 6)]).toEqual([
      [],
      ['A-BOT-05 wait Opção inválida, por favor, escolha uma opção válida.'],
    ])
    expect(answered('1', 2)).toContain('A-BOT-02 setQueue')
  })
  it('changes the queue at most five times in an hour, then hands over (A-BOT-03)', () => {
    const asked = { type: 'BotMoved' as const, node: 'start/menu', menus: 1, answers: 1, at: later(1), ...bot }
    const hops = Array.from({ length: 5 }, (_, n) => ({ type: 'TicketQueued' as const, queueId: 5 + (n % 2), at: later(n + 2), ...bot }))
    const chooses = (minutes: number) => acts({}, [...fresh, ...hops, asked, received(2)], { body: '2', at: later(minutes) })
    expect(chooses(10).slice(1)).toEqual([expect.stringMatching(/^A-BOT-03 say Alguém continua/), 'A-BOT-03 handOver'])
    expect(chooses(63)).toContain('A-BOT-02 setQueue')
  })
  it('greets with a file if the connection has neither queue nor text (A-BOT-11)', () => {
    const none = compile({
      greetingMessage: null,
      queueIds: [],
      queues: [],
      greetsForOne: false,
      language: 'pt-BR',
      handOverMessage: 'Alguém continua.',
    })
    expect(acts({ flow: none, greetsByFile: true })).toEqual(['A-BOT-02 handOver'])
    expect(acts({ flow: none })).toEqual([])
  })
  it('does nothing without a configuration', () => {
    const none = compile({
      greetingMessage: null,
      queueIds: [5],
      queues,
      greetsForOne: false,
      language: 'pt-BR',
      handOverMessage: 'Alguém continua.',
    })
    expect(acts({ flow: none }, [opened({ queueId: 5, ...{ by: contact } }), received(1)], {})).toEqual([])
    const many = compile({
      greetingMessage: null,
      queueIds: [5, 6],
      queues,
      greetsForOne: false,
      language: 'pt-BR',
      handOverMessage: 'Alguém continua.',
    })
    expect(acts({ flow: many })).toEqual([])
  })
})

describe('a collective vacation (A-VAC-01)', () => {
  const acted = { type: 'AutomationActed' as const, rule: 'A-VAC-01', reason: 'vacation', answers: 1, ...bot }
  it('is announced once in 24 hours, from its first to its last day in local time', () => {
    expect(acts({ vacation: holidays }, [...fresh, acted], { at: later(23 * 60) })).toEqual([])
    expect(acts({ vacation: holidays }, [...fresh, acted], { at: later(25 * 60) })).toHaveLength(2)
    expect(acts({ vacation: holidays }, fresh, { at: '2026-01-07T02:59:00.000Z' })).toHaveLength(2)
    expect(acts({ vacation: holidays }, fresh, { at: '2026-01-07T03:00:00.000Z' })).toEqual(['A-BOT-02 wait Olá'])
  })
  it('pauses the bot also without a text', () => expect(acts({ vacation: { ...holidays, text: '' } })).toEqual(['A-VAC-01 pause']))
  it('is announced by a text that was written after an earlier message got none', () => {
    const silent = { ...acted, silent: true as const }
    const written = (facts: typeof fresh, text: string) => acts({ vacation: { ...holidays, text } }, facts, { at: later(60) })
    expect(written([...fresh, silent, received(2)], 'Férias!')).toEqual(['A-VAC-01 say Férias!', 'A-VAC-01 pause'])
    expect(written([...fresh, silent, received(2)], ' ')).toEqual([])
    expect(written([...fresh, silent, received(2), acted], 'Férias!')).toEqual([])
  })
  it('lets the bot start when it is over', () =>
    expect(acts({ vacation: null }, [...fresh, acted, received(2)], {})).toEqual(['A-BOT-02 wait Olá']))
})

describe('business hours (A-HOURS-02, A-HOURS-03)', () => {
  const acted = { type: 'AutomationActed' as const, rule: 'A-HOURS-02', reason: 'outOfHours', answers: 1, ...bot }
  const moved = { type: 'BotMoved' as const, node: 'start/menu', menus: 1, answers: 1, ...bot }
  it('are announced once in a closed period', () => {
    expect(acts({ hours: closed }, [...fresh, acted], { at: later(60) })).toEqual([])
    expect(acts({ hours: { ...closed, schedules: [] } }, [...fresh, acted], { at: later(8 * 60 + 1) })).toHaveLength(2)
    const wrote = { type: 'AutomationActed' as const, rule: 'A-BOT-02', reason: 'queueMenu', answers: 3, ...bot }
    expect(acts({ hours: closed }, [...fresh, acted, received(2), wrote], { at: later(60) })).toHaveLength(2)
  })
  it('are announced by a text that was written after an earlier message got none', () => {
    const silent = { ...acted, silent: true as const }
    const refused = { ...acted, rule: 'A-AUDIO-01', reason: 'audio' }
    const written = (facts: typeof fresh, closedText: string) => acts({ hours: { ...closed, closedText } }, facts, { at: later(60) })
    for (const facts of [[silent], [silent, refused]]) {
      expect(written([...fresh, ...facts, received(2)], 'Abrimos às 13h')).toEqual(['A-HOURS-02 say Abrimos às 13h', 'A-HOURS-02 pause'])
      expect(written([...fresh, ...facts, received(2)], '')).toEqual([])
    }
    expect(written([...fresh, silent, received(2), acted], 'Abrimos às 13h')).toEqual([])
    expect(written([...fresh, acted, received(2)], 'Abrimos às 13h')).toEqual([])
  })
  it('restart a bot that was in the middle of its menu', () => {
    const now = given(...fresh, moved, { ...acted, answers: 3 }).folded()
    expect(now).toMatchObject({ bot: { node: null, over: false, menus: 1 } })
  })
  it('of a queue apply when it is chosen, and it keeps the ticket', () => {
    const late = new Map([[6, { schedules: shut, closedText: 'Suporte abre às 13h', assigns: false }]])
    expect(acts({ hours: { of: 'queue' }, queues: late }, [...fresh, moved, received(2)], { body: '2' })).toEqual([
      ...['A-BOT-02 chose', 'A-BOT-02 setQueue', 'A-HOURS-02 say Suporte abre às 13h', 'A-HOURS-02 handOver'],
    ])
  })
})

describe('a contact who waits for an agent (A-BOT-01, A-HOURS-03, A-VAC-01)', () => {
  const hands = (...of: Parameters<typeof situation>) => {
    const { outputs, afterMs } = waitingNotice(situation(...of))
    return [...outputs.map((one) => ('text' in one ? one.text : one.does)), ...(outputs.length > 0 ? [afterMs / 60_000] : [])]
  }
  const ended = [...fresh, { type: 'BotEnded' as const, why: 'leaf' }]
  const acted = { type: 'AutomationActed' as const, rule: 'A-HOURS-02', reason: 'outOfHours', answers: null, at: later(1), ...bot }
  it('is told about closed hours and a vacation, however the ticket came to wait', () => {
    const accepted = { type: 'TicketAccepted' as const, userId: 7, queueId: 5, waited: true }
    const returned = [...fresh, accepted, { type: 'TicketReturned' as const }]
    for (const facts of [ended, returned, [opened({ queueId: null }), received(1)]]) {
      expect(hands({ hours: closed }, facts)).toEqual(['Abrimos às 13h', 24 * 60])
      expect(hands({ hours: closed, vacation: holidays }, facts)).toEqual(['Férias!', 24 * 60])
      expect(hands({}, facts)).toEqual([])
    }
    const silent = { ...closed, closedText: ' ' }
    expect(hands({ hours: silent }, ended)).toEqual([])
  })
  it('is told nothing while an agent is assigned, in a group, or with a disabled bot', () => {
    const assigned = { type: 'TicketAssigned' as const, userId: 7, why: 'rotation' as const, rule: 'A-ROT-01' }
    for (const fact of [{ type: 'TicketAccepted' as const, userId: 7, queueId: 5, waited: true }, assigned])
      expect(hands({ hours: closed }, [...ended, fact])).toEqual([])
    expect(hands({ hours: closed, group: true }, ended)).toEqual([])
    expect(hands({ hours: closed, botDisabled: true }, ended)).toEqual([])
  })
  it('is told once in a closed period, and again in the next', () => {
    expect(hands({ hours: closed }, [...ended, acted], { at: later(60) })).toEqual([])
    const next = { ...closed, schedules: [{ ...open[0]!, startTimeA: '09:30', endTimeA: '10:00', startTimeB: '', endTimeB: '' }] }
    expect(hands({ hours: next }, [...ended, acted], { at: later(20) })).toEqual([])
    expect(hands({ hours: next }, [...ended, acted], { at: later(120) })).toEqual(['Abrimos às 13h', 119])
  })
})

describe('a voice message (A-AUDIO-01)', () => {
  it('is refused if the company accepts none', () => {
    expect(audioRefusal(situation({ takesAudio: false }, fresh, { kind: 'audio' }))).toMatchObject([{ does: 'say', rule: 'A-AUDIO-01' }])
    expect(audioRefusal(situation({ takesAudio: false }))).toEqual([])
    expect(audioRefusal(situation({}, fresh, { kind: 'audio' }))).toEqual([])
  })
  it('is a wrong answer to a menu', () => {
    const moved = { type: 'BotMoved' as const, node: 'start/menu', menus: 1, answers: 1, ...bot }
    expect(acts({}, [...fresh, moved, received(2)], { kind: 'audio', body: '' })).toEqual([
      'A-BOT-05 wait Opção inválida, por favor, escolha uma opção válida.',
    ])
  })
})
