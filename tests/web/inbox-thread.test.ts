import { createStore } from 'jotai'
import { describe, expect, it } from 'vitest'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketLogRow } from '#domain/ticket/contract.ts'
import { Offline, Refused } from '#web/api.ts'
import { card, place, video } from '#web/message/bubble/parts.ts'
import { fold, pieces } from '#web/message/bubble/pieces.ts'
import { blank, drafts, read } from '#web/message/composer/drafts.ts'
import { type Held, outbox, type Sending, unanswered } from '#web/message/outbox.ts'
import { type Fact, firstUnread, laid } from '#web/message/thread/grouping.ts'

const fact = (id: number, time: string, who = 'them Ana', ticketId = 5): Fact => ({
  ...{ id, ticketId, who, theirs: who.startsWith('them') },
  at: `2026-11-${time}.000Z`,
})
const entry = (id: string, type: TicketLogRow['type'], time: string): TicketLogRow => ({
  ...{ id, ticketId: 5, type, user: null, queue: null, fromUser: null, note: null, undone: null, way: null },
  createdAt: `2026-11-${time}.000Z`,
})
const kinds = (days: ReturnType<typeof laid>) =>
  days.map(({ lines }) => lines.map((line) => (line.kind === 'message' ? line.id : line.kind)))

describe('a thread', () => {
  it('puts messages of one sender in one minute together', () => {
    const [day] = laid(
      [fact(1, '20T12:00:01'), fact(2, '20T12:00:40'), fact(3, '20T12:01:00'), fact(4, '20T12:01:10', 'us 7')],
      [],
      null,
      true,
    )
    expect(day!.lines).toMatchObject([
      { id: 1, first: true, last: false },
      { id: 2, first: false, last: true },
      { id: 3, first: true, last: true },
      { id: 4, first: true, last: true },
    ])
  })
  it('divides days in the company’s zone, not in UTC', () => {
    expect(kinds(laid([fact(1, '20T02:00:00'), fact(2, '20T04:00:00')], [], null, true))).toEqual([[1], [2]])
  })
  it('divides the tickets of a contact', () => {
    expect(kinds(laid([fact(1, '20T12:00:00', 'them Ana', 4), fact(2, '20T12:00:10')], [], null, true))).toEqual([[1, 'ticket', 2]])
  })
  it('tells what happened to the ticket where it happened, and nothing of who looked', () => {
    const log = [entry('a', 'access', '20T12:00:01'), entry('b', 'open', '20T12:00:30'), entry('c', 'closed', '20T13:00:00')]
    const days = laid([fact(1, '20T12:00:00'), fact(2, '20T12:00:40')], log, null, true)
    expect(kinds(days)).toEqual([[1, 'log', 2, 'log']])
    expect(days[0]!.lines[2]).toMatchObject({ first: true })
  })
  it('keeps back what happened before the oldest message that has come', () => {
    expect(kinds(laid([fact(1, '20T12:00:00')], [entry('a', 'open', '19T12:00:00')], null, false))).toEqual([[1]])
  })
  it('marks the first unread message', () => {
    const facts = [fact(1, '20T12:00:00'), fact(2, '20T12:00:10'), fact(3, '20T12:00:20', 'us 7'), fact(4, '20T12:00:30')]
    expect(firstUnread(facts, { count: 2, last: 4 }, 5, true)).toEqual({ from: 2, count: 2 })
    expect(firstUnread(facts, { count: 0, last: 4 }, 5, true)).toBeNull()
    expect(kinds(laid(facts, [], firstUnread(facts, { count: 2, last: 4 }, 5, true), true))).toEqual([[1, 'unread', 2, 3, 4]])
  })
  it('keeps the mark where reading goes on while more comes in', () => {
    const facts = [fact(1, '20T12:00:00'), fact(2, '20T12:00:10'), fact(3, '20T12:00:20')]
    expect(firstUnread(facts, { count: 1, last: 2 }, 5, true)).toEqual({ from: 2, count: 1 })
  })
  it('marks nothing while the first unread message stands on a page that has not come', () => {
    const page = [fact(3, '20T12:00:20'), fact(4, '20T12:00:30')]
    expect(firstUnread(page, { count: 3, last: 4 }, 5, false)).toBeNull()
    expect(firstUnread([fact(2, '20T12:00:10'), ...page], { count: 3, last: 4 }, 5, false)).toEqual({ from: 2, count: 3 })
  })
  it('never counts into an earlier ticket of the contact', () => {
    const facts = [fact(1, '19T12:00:00', 'them Ana', 4), fact(2, '20T12:00:10'), fact(3, '20T12:00:20')]
    expect(firstUnread(facts, { count: 3, last: 3 }, 5, false)).toEqual({ from: 2, count: 3 })
  })
})

describe('a draft', () => {
  const shelf = () => {
    const kept = new Map<string, string>()
    return {
      kept,
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
      removeItem: (key: string) => void kept.delete(key),
    }
  }
  it('is each ticket’s own and survives a reload', () => {
    const mine = shelf()
    const store = createStore()
    const draftOf = drafts(mine, 7)
    store.set(draftOf(1), { body: 'olá' })
    store.set(draftOf(2), { quoted: 9 })
    expect(store.get(draftOf(1))).toEqual({ ...blank, body: 'olá' })
    expect(createStore().get(drafts(mine, 7)(1)).body).toBe('olá')
    expect(read(mine, 7, 2).quoted).toBe(9)
  })
  it('is not shown to the next who signs in here', () => {
    const mine = shelf()
    createStore().set(drafts(mine, 7)(1), { body: 'olá' })
    expect(read(mine, 8, 1)).toEqual(blank)
  })
  it('leaves nothing behind when it is empty, and bears a broken shelf', () => {
    const mine = shelf()
    const store = createStore()
    store.set(drafts(mine, 7)(1), { body: 'olá' })
    store.set(drafts(mine, 7)(1), blank)
    expect([...mine.kept.keys()]).toEqual([])
    mine.kept.set('draft-7-3', '{')
    expect(read(mine, 7, 3)).toEqual(blank)
  })
})

const row = (id: number, more: Partial<MessageRow> = {}): MessageRow =>
  ({
    id,
    ticketId: 5,
    body: 'oi',
    fromMe: true,
    user: { id: 7, name: 'Ana' },
    isPrivate: false,
    mediaUrl: null,
    revision: 10,
    createdAt: '2026-11-20T12:00:00.000Z',
    ...more,
  }) as MessageRow
const item = (more: Partial<Sending> = {}) => ({
  ...{ ticketId: 5, body: 'oi', quoted: null, isPrivate: false, sign: true, seen: 9, anyway: false, files: [] },
  ...more,
})
const soon = () => new Promise((resume) => setTimeout(resume))
function sending(answers: (() => Promise<{ messages: MessageRow[] }>)[]) {
  const store = createStore()
  const asked: { body: string; key: string; anyway: boolean }[] = []
  const sent: number[] = []
  const held: Held[] = []
  const box = outbox({
    store,
    send: (ask, how) => {
      asked.push({ body: ask.body.body, key: how.commandId!, anyway: ask.body.anyway === true })
      return answers.shift()!()
    },
    sent: (_, rows) => sent.push(...rows.map(({ id }) => id)),
    held: (one) => held.push(one),
  })
  return { box, asked, sent, held, now: () => store.get(box.ofTicket(5)) }
}
const answer = (id: number) => async () => ({ messages: [row(id)] })

describe('sending', () => {
  it('shows a message at once and lets go of it with the answer', async () => {
    const { box, now, sent } = sending([answer(1)])
    box.send(item())
    expect(now()).toMatchObject([{ body: 'oi', state: 'sending' }])
    await soon()
    expect(now()).toEqual([])
    expect(sent).toEqual([1])
  })
  it('keeps the order within a ticket', async () => {
    const { box, asked } = sending([answer(1), answer(2)])
    box.send(item({ body: 'um' }))
    box.send(item({ body: 'dois' }))
    expect(asked).toHaveLength(1)
    await soon()
    expect(asked.map(({ body }) => body)).toEqual(['um', 'dois'])
  })
  it('waits without a line and goes, under the same command, when it is back', async () => {
    const lost = () => Promise.reject(new Offline())
    const { box, now, asked } = sending([lost, answer(1), answer(2)])
    box.send(item({ body: 'um' }))
    box.send(item({ body: 'dois' }))
    await soon()
    expect(now().map(({ state }) => state)).toEqual(['waiting', 'waiting'])
    box.wake()
    await soon()
    expect(asked.map(({ body }) => body)).toEqual(['um', 'um', 'dois'])
    expect(asked[0]!.key).toBe(asked[1]!.key)
    expect(now()).toEqual([])
  })
  it('says why it was refused and tries again when asked', async () => {
    const { box, now } = sending([() => Promise.reject(new Refused('ERR_SENDING_WAPP_MSG', {}, 400)), answer(1)])
    box.send(item())
    await soon()
    expect(now()).toMatchObject([{ state: 'failed' }])
    box.again(now()[0]!.key)
    await soon()
    expect(now()).toEqual([])
  })
  it('hands everything back when somebody else answered first: nothing leaves before the agent decides', async () => {
    const changed = () => Promise.reject(new Refused('ERR_TICKET_CHANGED', { userId: 8, revision: 12 }, 409))
    const { box, now, held, asked } = sending([changed, answer(1)])
    box.send(item({ body: 'um' }))
    box.send(item({ body: 'dois' }))
    await soon()
    expect(asked).toHaveLength(1)
    expect(now()).toEqual([])
    expect(held).toMatchObject([{ userId: 8, revision: 12, item: { body: 'um\ndois', seen: 9 } }])
    box.send(item({ body: 'um\ndois', anyway: true }))
    await soon()
    expect(asked.at(-1)).toMatchObject({ anyway: true })
  })
  it('goes with its file after a reload, once and under the same command', async () => {
    const shelf = new Map<string, string>()
    const files = new Map<string, File[]>()
    const page = () => {
      const store = createStore()
      const asked: { key: string; files: string[] }[] = []
      let answered = Promise.withResolvers<{ messages: MessageRow[] }>()
      const box = outbox({
        store,
        send: (_, how) => {
          asked.push({ key: how.commandId!, files: (how.files ?? []).map(({ name }) => name!) })
          return answered.promise
        },
        sent: () => {},
        held: () => {},
        keep: {
          storage: { getItem: (name) => shelf.get(name) ?? null, setItem: (name, text) => void shelf.set(name, text) },
          name: 'outbox-7',
          files: {
            keep: async (key, some) => void (some.length > 0 ? files.set(key, some) : files.delete(key)),
            kept: async (key) => files.get(key) ?? [],
          },
        },
      })
      const answer = () => answered.resolve({ messages: [row(1)] })
      const refuse = () => {
        answered.reject(new Refused('ERR_UNSUPPORTED_MEDIA', {}, 415))
        answered = Promise.withResolvers()
      }
      return { box, asked, answer, refuse, now: () => store.get(box.ofTicket(5)) }
    }
    const left = page()
    left.box.send(item({ files: [new File(['x'], 'laudo.pdf')] }))
    left.box.send(item({ body: 'depois' }))
    const come = page()
    expect(come.now().map(({ body }) => body)).toEqual(['oi', 'depois'])
    come.box.wake()
    await soon()
    expect(come.now()).toMatchObject([{ state: 'sending', files: [{ name: 'laudo.pdf' }] }, { state: 'waiting' }])
    expect(come.asked).toEqual([{ key: left.asked[0]!.key, files: ['laudo.pdf'] }])
    come.refuse()
    await soon()
    come.answer()
    await soon()
    const later = page()
    await soon()
    expect(later.now()).toMatchObject([
      { state: 'failed', files: [{ name: 'laudo.pdf' }], error: { code: 'ERR_UNSUPPORTED_MEDIA', status: 415 } },
    ])
    files.clear() // the browser may throw away what it keeps
    const poor = page()
    await soon()
    poor.box.again(poor.now()[0]!.key)
    await soon()
    expect(poor.asked).toEqual([])
    expect(poor.now()).toMatchObject([{ body: 'oi', state: 'failed', error: { code: 'ERR_NO_MEDIA_FOUND' } }])
    later.box.discard(later.now()[0]!.key)
    expect([JSON.parse(shelf.get('outbox-7')!), files.size]).toEqual([[], 0])
  })
  it('does not show a message twice when its frame overtakes the answer', () => {
    const pending = { ...item(), key: 'k', at: '2026-11-20T12:00:00.000Z', state: 'sending', share: 0, error: null } as Sending
    expect(unanswered([pending], [row(3, { revision: 9 })], 7)).toHaveLength(1)
    expect(unanswered([pending], [row(3, { body: '*Ana:*\noi' })], 7)).toHaveLength(0)
    expect(unanswered([pending, { ...pending, key: 'l' }], [row(3)], 7)).toHaveLength(1)
    expect(unanswered([pending], [row(3, { user: { id: 8, name: 'Bia' } })], 7)).toHaveLength(1)
  })
})

describe('what a message says', () => {
  it('reads a location', () => {
    expect(place('/x.png|https://maps.test/1|Rua A | 2')).toEqual({ picture: '/x.png', link: 'https://maps.test/1', text: 'Rua A | 2' })
    expect(place('javascript:alert(1)|javascript:alert(2)').link).toBeNull()
  })
  it('reads a contact card', () => {
    expect(card('BEGIN:VCARD\nFN:Carlos\nTEL;type=CELL:+55 11 98888-7777\nitem1.TEL:123\nEND:VCARD')).toEqual({
      name: 'Carlos',
      numbers: ['+55 11 98888-7777', '123'],
    })
  })
  it.each([
    ['https://youtu.be/dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
    ['veja https://www.youtube.com/watch?list=1&v=dQw4w9WgXcQ&t=3', 'dQw4w9WgXcQ'],
    ['https://youtu.be/curto', null],
    ['https://youtu.be/dQw4w9WgXcQlonger', null],
  ])('finds the video of %s', (text, id) => expect(video(text)).toBe(id))
  it('reads the marks of phones and leaves sums alone', () => {
    expect(pieces('oi *você*, veja https://a.test/b.')).toMatchObject([
      { text: 'oi ', as: 'plain' },
      { text: 'você', as: 'bold' },
      { text: ', veja ', as: 'plain' },
      { text: 'https://a.test/b', as: 'link' },
      { text: '.', as: 'plain' },
    ])
    expect(pieces('2*3*4')).toEqual([{ text: '2*3*4', as: 'plain' }])
  })
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
  ])('finds what can be opened, written to or called in %s', (text, all) => expect(found(text)).toEqual(all))
  it('folds what is long, between words, and leaves a few words more alone', () => {
    expect(fold('palavra '.repeat(100))).toBeNull()
    const at = fold('palavra '.repeat(400))!
    expect(at).toBeLessThanOrEqual(900)
    expect('palavra '.repeat(400)[at]).toBe(' ')
    expect(fold(Array.from({ length: 60 }, (_, n) => `linha ${n}`).join('\n'))).toBeLessThan(160)
  })
})
