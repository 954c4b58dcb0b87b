import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placed } from '#tests/kit/history.ts'
import { closed, deleted, type Fact, inGroup, opened, received, sent, servedBy, unqueued, waiting } from '#tests/kit/story.ts'
import { openTables } from '#tests/kit/tables.ts'

let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.drop())

const told = (...facts: Fact[]) => placed(facts.map((fact) => ({ ...fact, of: 17 })))
const row = async (...facts: Fact[]) => (await tables.fold(told(...facts))).ticket![0]
const at = (second: number) => `2026-01-05T12:00:${String(second).padStart(2, '0')}+00:00`

describe('the row of a ticket', () => {
  it('begins waiting, with nothing said', async () =>
    expect(await row(waiting)).toMatchObject({
      id: 17,
      status: 'pending',
      queue_id: 5,
      user_id: null,
      last_message: '',
      unread_messages: 0,
      revision: 0,
    }))
  it('shows the last message and counts what is unread', async () =>
    expect(await row(waiting, received(1), received(2, { body: 'Olá?' }))).toMatchObject({
      last_message: 'Olá?',
      last_message_from_me: false,
      unread_messages: 2,
    }))
  it('is read and led by an answer', async () =>
    expect(await row(waiting, servedBy(7), received(1), sent(2))).toMatchObject({ last_message_from_me: true, unread_messages: 0 }))
  it('does not show a word among us, nor come up for it (A-MSG-02)', async () =>
    expect(await row(waiting, received(1), sent(2, { body: 'segredo', private: true }))).toMatchObject({
      ...{ last_message: 'Bom dia', last_message_from_me: false, unread_messages: 1, updated_at: at(1), revision: 2 },
    }))
  it('remembers when it was first served, and forgets its closing when reopened (A-TICKET-11)', async () => {
    const reopened: Fact = { type: 'TicketReopened', userId: 8, queueId: 6 }
    expect(await row(waiting, servedBy(7), closed)).toMatchObject({ status: 'closed', opened_at: at(1), closed_at: at(2), user_id: 7 })
    expect(await row(waiting, servedBy(7), closed, reopened)).toMatchObject({
      status: 'open',
      opened_at: at(1),
      closed_at: null,
      user_id: 8,
      queue_id: 6,
    })
  })
  it('follows a transfer', async () => {
    const to = (userId: number | null): Fact => ({ type: 'TicketTransferred', userId, queueId: 6, fromUserId: 7, fromQueueId: 5 })
    expect(await row(waiting, servedBy(7), to(9))).toMatchObject({ status: 'open', user_id: 9, queue_id: 6, is_transfered: true })
    expect(await row(waiting, servedBy(7), to(null))).toMatchObject({ status: 'pending', user_id: null, queue_id: 6 })
    expect(await row(inGroup, servedBy(7), to(9))).toMatchObject({ status: 'group', user_id: 9 })
  })
  it('returns, and takes a queue', async () => {
    expect(await row(waiting, servedBy(7), { type: 'TicketReturned' })).toMatchObject({ status: 'pending', user_id: null, queue_id: 5 })
    expect(await row(unqueued, { type: 'TicketQueued', queueId: 6 })).toMatchObject({ queue_id: 6 })
  })
  it('that goes on from another was transferred (A-TRANSFER-02)', async () =>
    expect(await row(opened({ follows: 16 }))).toMatchObject({ is_transfered: true }))
  it('does not come up by being looked at or noted', async () => {
    const quiet: Fact[] = [
      { type: 'TicketAccessed', userId: 7 },
      { type: 'NoteAdded', noteId: 1, note: 'x' },
      { type: 'TicketRead', userId: 7 },
    ]
    expect(await row(waiting, received(1), ...quiet)).toMatchObject({ updated_at: at(1), revision: 4, unread_messages: 0 })
  })
})

describe('deleting a ticket (A-TICKET-12)', () => {
  const gone = {
    ticket: [],
    ticket_counter: [],
    ticket_log: [],
    message: [],
    note: [],
    ticket_history: [expect.objectContaining({ id: 17, status: 'deleted' })],
  }
  const life: Fact[] = [
    waiting,
    received(1),
    servedBy(7),
    sent(2),
    { type: 'NoteAdded', noteId: 1, note: 'x' },
    { type: 'TicketAccessed', userId: 7 },
  ]
  it('clears every table but the auditors’ index, in one batch and one by one', async () => {
    expect(await tables.fold(told(...life, deleted))).toEqual(gone)
    expect(await tables.fold(told(...life, deleted), { batch: 1 })).toEqual(gone)
  })
  it('leaves the neighbours alone', async () => {
    const other = [opened({ ticketId: 18, uuid: crypto.randomUUID() }), received(3), { type: 'NoteAdded', noteId: 2, note: 'y' } as Fact]
    const both = placed([
      ...life.map((fact) => ({ ...fact, of: 17 })),
      ...other.map((fact) => ({ ...fact, of: 18 })),
      { ...deleted, of: 17 },
    ])
    const left = await tables.fold(both, { batch: 4 })
    expect([left.ticket!.map(({ id }) => id), left.message!.map(({ id }) => id), left.note!.map(({ id }) => id)]).toEqual([[18], [3], [2]])
    expect(left.ticket_counter).toMatchObject([{ tickets: 1, unread: 1 }])
  })
  it('is not undone by what comes late', async () =>
    expect(
      await tables.fold(
        told(...life, deleted, { type: 'MessagesRead', messageIds: [2] }, { type: 'MessageFailed', messageId: 2, code: 'X' }),
      ),
    ).toEqual(gone))
})
