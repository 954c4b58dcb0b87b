import { createStore } from 'jotai'
import { describe, expect, it } from 'vitest'
import type { Frame } from '#domain/live/contract.ts'
import { place, placeIn, placeOf } from '#domain/message/rules.ts'
import type { TicketLogRow } from '#domain/ticket-log/contract.ts'
import { createLiveCollection } from '#web/live.ts'
import { video } from '#web/message/bubble/parts.ts'
import { fold, pieces } from '#web/message/bubble/pieces.ts'
import { type Fact, firstUnread, foldLog, laid, runs, type ThreadLine, whole } from '#web/message/thread/grouping.ts'

const fact = (id: number, time: string, who = 'them Ana', ticketId = 5): Fact => ({
  ...{ id, ticketId, who, theirs: who.startsWith('them') },
  at: `2026-11-${time}.000Z`,
})
const entry = (id: string, type: TicketLogRow['type'], time: string): TicketLogRow => ({
  ...{ id, ticketId: 5, type, user: null, queue: null, fromUser: null, note: null, undone: null, way: null, rule: null, nps: null },
  ...{ lane: null, amount: null, since: null },
  createdAt: `2026-11-${time}.000Z`,
})
const kinds = (days: ReturnType<typeof laid>) =>
  days.map(({ lines }) => lines.map((line) => (line.kind === 'message' ? line.id : line.kind)))

describe('a thread', () => {
  it('groups messages of one author in one minute', () => {
    const [day] = laid(
      [fact(1, '20T12:00:01'), fact(2, '20T12:00:40'), fact(3, '20T12:01:00'), fact(4, '20T12:01:10', 'us 7')],
      [],
      null,
      whole,
    )
    expect(day!.lines).toMatchObject([
      { id: 1, first: true, last: false },
      { id: 2, first: false, last: true },
      { id: 3, first: true, last: true },
      { id: 4, first: true, last: true },
    ])
  })
  it('leaves out log lines after the last message while newer messages are not loaded', () => {
    const log = [entry('a', 'open', '20T12:00:30'), entry('b', 'open', '20T13:00:00')]
    const facts = [fact(1, '20T12:00:00'), fact(2, '20T12:00:40')]
    expect(kinds(laid(facts, log, null, { toStart: true, toEnd: false }))).toEqual([[1, 'log', 2]])
    expect(kinds(laid(facts, log, null, whole))).toEqual([[1, 'log', 2, 'log']])
  })
  it('divides days in the company’s time zone', () => {
    expect(kinds(laid([fact(1, '20T02:00:00'), fact(2, '20T04:00:00')], [], null, whole))).toEqual([[1], [2]])
  })
  it('divides the tickets of a contact', () => {
    expect(kinds(laid([fact(1, '20T12:00:00', 'them Ana', 4), fact(2, '20T12:00:10')], [], null, whole))).toEqual([[1, 'ticket', 2]])
  })
  it('shows ticket events at their time, without access events', () => {
    const log = [entry('a', 'access', '20T12:00:01'), entry('b', 'open', '20T12:00:30'), entry('c', 'closed', '20T13:00:00')]
    const days = laid([fact(1, '20T12:00:00'), fact(2, '20T12:00:40')], log, null, whole)
    expect(kinds(days)).toEqual([[1, 'log', 2, 'log']])
    expect(days[0]!.lines[2]).toMatchObject({ first: true })
  })
  it('hides events older than the oldest loaded message', () => {
    expect(kinds(laid([fact(1, '20T12:00:00')], [entry('a', 'open', '19T12:00:00')], null, { toStart: false, toEnd: true }))).toEqual([[1]])
  })
  it('marks the first unread message', () => {
    const facts = [fact(1, '20T12:00:00'), fact(2, '20T12:00:10'), fact(3, '20T12:00:20', 'us 7'), fact(4, '20T12:00:30')]
    expect(firstUnread(facts, { count: 2, last: 4 }, 5, true)).toEqual({ from: 2, count: 2 })
    expect(firstUnread(facts, { count: 0, last: 4 }, 5, true)).toBeNull()
    expect(kinds(laid(facts, [], firstUnread(facts, { count: 2, last: 4 }, 5, true), whole))).toEqual([[1, 'unread', 2, 3, 4]])
  })
  it('keeps the mark while older messages are read and new ones arrive', () => {
    const facts = [fact(1, '20T12:00:00'), fact(2, '20T12:00:10'), fact(3, '20T12:00:20')]
    expect(firstUnread(facts, { count: 1, last: 2 }, 5, true)).toEqual({ from: 2, count: 1 })
  })
  it('has no mark while the first unread message is not loaded', () => {
    const page = [fact(3, '20T12:00:20'), fact(4, '20T12:00:30')]
    expect(firstUnread(page, { count: 3, last: 4 }, 5, false)).toBeNull()
    expect(firstUnread([fact(2, '20T12:00:10'), ...page], { count: 3, last: 4 }, 5, false)).toEqual({ from: 2, count: 3 })
  })
  it('counts no message of an earlier ticket', () => {
    const facts = [fact(1, '19T12:00:00', 'them Ana', 4), fact(2, '20T12:00:10'), fact(3, '20T12:00:20')]
    expect(firstUnread(facts, { count: 3, last: 3 }, 5, false)).toEqual({ from: 2, count: 3 })
  })
})

describe('the content of a message', () => {
  it('shows a location', () => {
    expect(place('/x.png|https://maps.test/1|Rua A | 2')).toEqual({ picture: '/x.png', link: 'https://maps.test/1', text: 'Rua A | 2' })
    expect(place('javascript:alert(1)|javascript:alert(2)').link).toBeNull()
    expect(placeIn(placeOf({ latitude: -23.5, longitude: -46.6 }))).toEqual({ latitude: -23.5, longitude: -46.6 })
  })
  it.each([
    ['https://youtu.be/dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
    ['veja https://www.youtube.com/watch?list=1&v=dQw4w9WgXcQ&t=3', 'dQw4w9WgXcQ'],
    ['https://youtu.be/curto', null],
    ['https://youtu.be/dQw4w9WgXcQlonger', null],
  ])('finds the video of %s', (text, id) => expect(video(text)).toBe(id))
  it('shows text formatting and leaves calculations unchanged', () => {
    expect(pieces('oi *você*, veja https://a.test/b.')).toMatchObject([
      { text: 'oi ', as: 'plain' },
      { text: 'você', as: 'bold' },
      { text: ', veja ', as: 'plain' },
      { text: 'https://a.test/b', as: 'link' },
      { text: '.', as: 'plain' },
    ])
    expect(pieces('*Oi* Iara')).toMatchObject([{ text: 'Oi', as: 'bold' }, { text: ' Iara' }])
  })
  it.each([...['2*3*4=24', '**Oi**', '__Oi__', '~~Oi~~', '***Oi***', 'nome_do_arquivo_final', '8)', 'C:\\x', '11:30', '* Oi *']])(
    '%s stays plain',
    (text) => expect(pieces(text)).toEqual([{ text, as: 'plain' }]),
  )
  const found = (text: string) =>
    pieces(text).flatMap((piece) => (piece.as === 'link' ? [piece.href] : piece.as === 'number' ? [piece.text] : []))
  it.each([
    ['veja www.loja.com.br, ou (https://a.test/b?c=1).', ['https://www.loja.com.br', 'https://a.test/b?c=1']],
    ['http://a.test fica http', ['http://a.test']],
    ['escreva a ana@loja.com.br', ['mailto:ana@loja.com.br']],
    ['*https://a.test/x*', []],
    ['javascript:alert(1) data:text/html,x ftp://a.test file:///etc/passwd', []],
    ['tudo certo.Se quiser', []],
    ['ligue (11) 98765-4321 ou +90 532 123 45 67', ['(11) 98765-4321', '+90 532 123 45 67']],
    ['o 11987654321 e o 3333-4444', ['11987654321', '3333-4444']],
    ['em 2026-11-22, CPF 123.456.789-09, CNPJ 12.345.678/0001-95, R$ 1.234,56, pedido 4000123', []],
    ['https://wa.me/5511987654321', ['https://wa.me/5511987654321']],
  ])('finds links, addresses and phone numbers in %s', (text, all) => expect(found(text)).toEqual(all))
  it('folds a long text between words, and not for a few words more', () => {
    expect(fold('palavra '.repeat(100))).toBeNull()
    const at = fold('palavra '.repeat(400))!
    expect(at).toBeLessThanOrEqual(900)
    expect('palavra '.repeat(400)[at]).toBe(' ')
    expect(fold(Array.from({ length: 60 }, (_, n) => `linha ${n}`).join('\n'))).toBeLessThan(160)
  })
})

describe('message runs', () => {
  const said = (id: number): ThreadLine => ({ kind: 'message', key: `m ${id}`, id, first: true, last: true })
  const other: ThreadLine = { kind: 'ticket', key: 'ticket 4', ticketId: 4 }
  const unread: ThreadLine = { kind: 'unread', key: 'unread', count: 1 }
  const of = (lines: ThreadLine[]) => runs(lines, (id) => `${Math.floor(id / 10)}`).map(({ key, lines: some }) => [key, some.length])
  it('end with their section and keep their keys when messages are added', () => {
    expect(of([said(18), said(19), said(20)])).toEqual([
      ['run 1', 2],
      ['run 2', 1],
    ])
    expect(of([said(9), said(17), said(18), said(19), said(20), said(21)])).toEqual([
      ['run 0', 1],
      ['run 1', 3],
      ['run 2', 2],
    ])
  })
  it('leave other lines between them', () =>
    expect(of([said(11), other, said(12), said(20)])).toEqual([
      ['run 1', 1],
      ['ticket 4', 1],
      ['after ticket 4', 1],
      ['run 2', 1],
    ]))
  it.each([[[said(11), unread, said(12), said(20)]], [[unread, said(11), said(12), said(20)]], [[said(11), said(12), unread, said(20)]]])(
    'keep their messages when the unread line disappears',
    (lines) => {
      const messagesOf = (all: ThreadLine[]) =>
        runs(all, (id) => `${Math.floor(id / 10)}`).map((run) => [run.key, run.lines.filter(({ kind }) => kind === 'message')])
      expect(messagesOf(lines)).toEqual(messagesOf(lines.filter((line) => line !== unread)))
    },
  )
})

describe('runs of log lines', () => {
  const log = (id: string, note: string | null = null) => {
    const line: ThreadLine = { kind: 'log', key: id, entry: { ...entry(id, 'queue', '20T12:00:00'), note } }
    return { key: id, lines: [line] }
  }
  const said = { key: 'run 1', lines: [{ kind: 'message', key: 'm 1', id: 1, first: true, last: true } as ThreadLine] }
  const of = (parts: { key: string; lines: ThreadLine[] }[]) => foldLog(parts).map(({ key, lines }) => [key, lines.length])
  it('are folded from four lines on', () => {
    expect(of([log('a'), log('b'), log('c'), said, log('d'), log('e'), log('f'), log('g')])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['run 1', 1],
      ['d', 4],
    ])
  })
  it('end at a handover note, which stays visible', () => {
    expect(of([log('a'), log('b'), log('c', 'cuide bem'), log('d'), log('e')]).map(([, n]) => n)).toEqual([1, 1, 1, 1, 1])
  })
})

describe('a chat scrolled far back', () => {
  type Row = { id: number; words: string }
  const topic = { name: 'far-back', field: 'message', sees: () => true }
  it('keeps its position after a reconnect, and reloads on a refresh', async () => {
    let there: Row[] = Array.from({ length: 33 }, (_, at) => ({ id: at + 1, words: 'before' }))
    let back = () => {}
    let tell: (frames: Frame[]) => void = () => {}
    const none = () => () => {}
    const of = createLiveCollection<Row>(
      {
        ...{ topic, grows: 'up', pageSize: 3, order: (a, b) => a.id - b.id },
        load: async (page) => {
          const upTo = there.length - 3 * (page - 1)
          return { rows: there.slice(Math.max(0, upTo - 3), upTo), hasMore: upTo > 3 }
        },
      },
      {
        ...{ join: none },
        subscribe: (_, listener) => {
          tell = listener
          return () => {}
        },
        onReconnect: (listener) => {
          back = listener
          return () => {}
        },
      },
    )
    const store = createStore()
    const leave = store.sub(of.ids, () => {})
    const shown = () => store.get(of.ids).map((id) => `${id} ${store.get(of.row(id)).words}`)
    await expect.poll(() => store.get(of.state)).toBe('ready')
    while (store.get(of.hasMore)) await store.set(of.more)
    expect(store.get(of.ids)).toEqual(there.map(({ id }) => id))

    there = [...there, { id: 34, words: '' }].map(({ id }) => ({ id, words: 'since' }))
    back()
    await expect.poll(() => store.get(of.ids).at(-1)).toBe(34)
    expect(shown()).toEqual(there.map(({ id }) => `${id} ${id > 4 ? 'since' : 'before'}`))
    expect(store.get(of.hasMore)).toBe(false)

    tell([{ channel: 'company-1-far-back', action: 'refresh' }])
    await expect.poll(() => store.get(of.ids)[0]).toBe(5)
    expect(store.get(of.hasMore)).toBe(true)
    leave()
  })
})
