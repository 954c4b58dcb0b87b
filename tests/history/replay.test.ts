import { describe, expect, it } from 'vitest'
import { fold } from '#domain/decider.ts'
import type { HistoryEvent } from '#domain/history/contract.ts'
import { ticket } from '#domain/ticket/decide.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { PersistedEvent } from '#projections/projector.ts'
import { history } from '#tests/support/history.ts'
import { factWords } from '#web/history/fact-words.ts'
import { advance, pause, replay } from '#web/history/replay.ts'
import { before, type ReplayedTicket, type ReplayLine } from '#web/history/then.ts'

const ana = { kind: 'user', id: 7, name: 'Ana' }
const contact = { kind: 'contact', id: 3, name: 'Beatriz' }
const start = Date.parse('2026-03-02T12:00:00.000Z')

type Fact = [type: string, data?: Record<string, unknown>, by?: HistoryEvent['by']]
const reported = (...facts: Fact[]): HistoryEvent[] =>
  facts.map(([type, data = {}, by = ana], revision) => ({
    ...{
      revision,
      id: `e${revision}`,
      type,
      by,
      data,
      hash: `${revision}`.padStart(64, '0'),
      occurredAt: null,
      fault: null,
      erased: false,
    },
    at: new Date(start + revision * 1000).toISOString(),
  }))
/** An event as the auditor's page receives it. */
const shown = ({
  type,
  by,
  at,
  revision,
  eventId,
  stream: _s,
  aggregateId: _,
  companyId: __,
  position: ___,
  ...data
}: PersistedEvent<TicketEvent>): HistoryEvent => ({
  ...{ revision, id: eventId, type, at, by: { ...by, name: '' } as HistoryEvent['by'], data: data as HistoryEvent['data'] },
  ...{ hash: '', occurredAt: null, fault: null, erased: false },
})
const after_ = (...facts: Fact[]): ReplayedTicket => advance(before, reported(...facts))

const opened: Fact = ['TicketOpened', { group: false, queueId: 5, contactId: 3 }, contact]
const received = (messageId: number, body: string): Fact => ['MessageReceived', { messageId, kind: 'chat', body }, contact]
const sent = (messageId: number, body: string, more = {}): Fact => ['MessageSent', { messageId, kind: 'chat', body, ...more }]
const messages = ({ entries }: ReplayedTicket) => entries.filter((entry): entry is ReplayLine => entry.type === 'message')

describe('a replay', () => {
  it('contains the text of a quoted message from an earlier ticket, unless it was erased', () => {
    const quote = { from: 'us', kind: 'chat', body: 'Dez reais' }
    const quoting = (data: object): Fact => [
      'MessageReceived',
      { messageId: 2, kind: 'chat', body: 'Fechado', quotedId: 1, ...data },
      contact,
    ]
    expect(messages(after_(opened, quoting({ quote })))).toMatchObject([{ quotedId: 1, quote }])
    for (const gone of [{}, { quote: null }]) expect(messages(after_(opened, quoting(gone)))).toMatchObject([{ quote: null }])
  })
  it('has after every event the same state as the ticket', () => {
    for (const events of Map.groupBy(history(23, 1500), ({ aggregateId }) => aggregateId).values()) {
      const path = replay(events.map(shown))
      for (let n = 1; n <= events.length; n++) {
        const stood = fold(ticket, events.slice(0, n))
        if (stood.status === 'absent' || stood.status === 'deleted') continue
        const { status, userId, queueId, unread } = path(n)
        const at = `${events[n - 1]!.type} at ${n} of ${events[0]!.aggregateId}`
        expect({ at, status, userId, queueId, unread }).toEqual({
          ...{ at, status: stood.status, userId: stood.userId, queueId: stood.queueId, unread: stood.unread },
        })
      }
    }
  })
  it('has a sentence for every event type', () => {
    const every = new Set(history(11, 1000).map(({ type }) => type))
    expect([...every].filter((type) => !(type in factWords))).toEqual([])
  })

  it('is empty before the first event', () => expect(replay(reported(opened))(0)).toEqual(before))

  it('follows the agent and the queue', () => {
    const path = replay(
      reported(
        opened,
        ['TicketAccepted', { userId: 7, queueId: 5 }],
        ['TicketTransferred', { userId: 8, queueId: 6 }],
        ['TicketTransferred', { userId: null, queueId: 9 }],
        ['TicketAccepted', { userId: 8, queueId: 9 }],
        ['TicketClosed', { reason: 'agent' }],
      ),
    )
    const steps = [1, 2, 3, 4, 5, 6].map((n) => [path(n).status, path(n).userId, path(n).queueId])
    expect(steps).toEqual([
      ['pending', null, 5],
      ['open', 7, 5],
      ['open', 8, 6],
      ['pending', null, 9],
      ['open', 8, 9],
      ['closed', 8, 9],
    ])
  })

  it('shows a group as a group', () =>
    expect(after_(['TicketOpened', { group: true, queueId: null }], ['TicketAccepted', { userId: 7, queueId: 5 }]).status).toBe('group'))

  it('counts unread messages, and an answer clears them', () => {
    expect(after_(opened, received(1, 'a'), received(2, 'b')).unread).toBe(2)
    expect(after_(opened, received(1, 'a'), sent(2, 'só nós', { private: true })).unread).toBe(1)
    expect(after_(opened, received(1, 'a'), sent(2, 'oi')).unread).toBe(0)
    expect(after_(opened, received(1, 'a'), ['TicketRead']).unread).toBe(0)
  })

  it('only raises delivery states, in any order', () => {
    const then = after_(
      opened,
      sent(1, 'a'),
      sent(2, 'b'),
      ['MessagesRead', { messageIds: [1] }],
      ['MessagesDelivered', { messageIds: [1, 2] }],
    )
    expect(messages(then).map(({ ack }) => ack)).toEqual([3, 2])
  })

  it('keeps earlier texts of an edited message', () => {
    const [line] = messages(
      after_(opened, sent(1, 'um'), ['MessageEdited', { messageId: 1, body: 'dois' }], ['MessageEdited', { messageId: 1, body: 'três' }]),
    )
    expect(line).toMatchObject({ body: 'três', before: ['um', 'dois'] })
  })

  it('keeps the text of a deleted message and shows who deleted it', () =>
    expect(messages(after_(opened, received(1, 'segredo'), ['MessageRemoved', { messageId: 1, from: 'contact' }]))[0]).toMatchObject({
      body: 'segredo',
      removed: 'contact',
    }))

  it('adds and removes reactions by side', () => {
    const facts: Fact[] = [
      opened,
      sent(1, 'a'),
      ['MessageReacted', { messageId: 1, emoji: '👍', from: 'contact' }],
      ['MessageReacted', { messageId: 1, emoji: '❤️', from: 'us' }],
    ]
    const theirs = { contact: { emoji: '👍', name: '' } }
    expect(messages(after_(...facts))[0]!.reactions).toEqual({ ...theirs, us: { emoji: '❤️', name: 'Ana' } })
    expect(messages(after_(...facts, ['ReactionRemoved', { messageId: 1, from: 'us' }]))[0]!.reactions).toEqual(theirs)
    const inGroup = { messageId: 1, emoji: '🎉', from: 'contact', author: 'x', participant: { id: '55', name: 'Rita' } }
    expect(messages(after_(...facts, ['MessageReacted', inGroup]))[0]!.reactions).toMatchObject({ x: { emoji: '🎉', name: 'Rita' } })
  })

  it('shows a note until it is removed', () => {
    expect(after_(opened, ['NoteAdded', { noteId: 4, note: 'liga às 9' }]).entries.at(-1)).toMatchObject({
      type: 'note',
      note: 'liga às 9',
      removed: false,
    })
    expect(after_(opened, ['NoteAdded', { noteId: 4, note: 'x' }], ['NoteRemoved', { noteId: 4 }]).entries.at(-1)).toMatchObject({
      removed: true,
    })
  })

  it('shows failed and uncertain messages', () => {
    expect(messages(after_(opened, sent(1, 'a'), ['MessageFailed', { messageId: 1, code: 'ERR_SENDING_WAPP_MSG' }]))[0]!.failed).toBe(
      'ERR_SENDING_WAPP_MSG',
    )
    const unsure = after_(opened, sent(1, 'a'), ['MessageUncertain', { messageId: 1 }])
    expect(messages(unsure)[0]!.uncertain).toBe(true)
    expect(messages(advance(unsure, reported(['MessageAccepted', { messageId: 1 }])))[0]!.uncertain).toBe(false)
  })

  it('shows the text of an erased contact as missing', () =>
    expect(messages(after_(opened, ['MessageReceived', { messageId: 1, kind: 'chat', body: null }, contact]))[0]!.body).toBeNull())

  it('ignores an unknown event type', () => expect(after_(opened, ['TicketSnoozed', { until: 'x' }]).status).toBe('pending'))
})

describe('jumping in a replay', () => {
  const many = reported(
    opened,
    ...Array.from({ length: 1200 }, (_, i): Fact => (i % 3 ? received(i, `m${i}`) : ['MessagesRead', { messageIds: [i - 1] }])),
  )

  it('gives the same state as playing up to there', () => {
    const jump = replay(many)
    for (const n of [1199, 3, 700, 99, 100, 101, 1201, 0]) expect(jump(n)).toEqual(advance(before, many.slice(0, n)))
  })

  it('stays within the history', () => {
    expect(replay(many)(5000)).toEqual(replay(many)(1201))
    expect(replay(many)(-3)).toEqual(before)
  })
})

describe('the pause between two steps', () => {
  const at = (ms: number) => new Date(start + ms).toISOString()
  it('is real for short gaps and shortened for long ones', () => {
    expect(pause(at(0), at(3000), 1)).toBe(3000)
    expect(pause(at(0), at(3000), 10)).toBe(300)
    expect(pause(at(0), at(86_400_000), 60)).toBeLessThan(2000)
    expect(pause(at(0), at(86_400_000), 1)).toBeLessThanOrEqual(6000)
  })
  it('is longer for longer gaps, and never zero', () => {
    expect(pause(at(0), at(86_400_000), 60)).toBeGreaterThan(pause(at(0), at(60_000), 60))
    expect(pause(at(0), at(0), 60)).toBeGreaterThan(0)
  })
})
