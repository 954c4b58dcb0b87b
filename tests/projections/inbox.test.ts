import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placed } from '#tests/support/history.ts'
import { closed, deleted, type Fact, inGroup, opened, received, sent, servedBy, unqueued, waiting } from '#tests/support/story.ts'
import { openTables } from '#tests/support/tables.ts'

let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.drop())

const history = (...facts: Fact[]) => placed(facts.map((fact) => ({ ...fact, of: 17 })))
const row = async (...facts: Fact[]) => (await tables.fold(history(...facts))).ticket![0]
const user7 = { by: { kind: 'user', id: 7 } }
const at = (second: number) => `2026-01-05T12:00:${String(second).padStart(2, '0')}+00:00`

describe('the row of a ticket', () => {
  it('returns to its former place after an undo (A-TICKET-15)', async () => {
    const back = { status: 'open', userId: 7, queueId: 5, unread: 0, waitingSince: null, transferred: false } as const
    const undone: Fact = { type: 'ActionUndone', actionRevision: 3, what: 'closed', ...back }
    expect(await row(waiting, servedBy(7), received(1), closed, undone)).toMatchObject({ status: 'open', updated_at: at(2), revision: 4 })
    expect(await row(waiting, servedBy(7), closed, { ...undone, actionRevision: 2 })).toMatchObject({ status: 'open', updated_at: at(1) })
  })
  it('is the same in the history index after an undo (A-AUDIT-01)', async () => {
    const moved: Fact = { type: 'TicketTransferred', userId: 9, queueId: 6, fromUserId: 7, fromQueueId: 5, note: null }
    const back = { status: 'open', userId: 7, queueId: 5, unread: 0, waitingSince: null, transferred: false } as const
    for (const [act, what] of [[closed, 'closed'] as const, [moved, 'transferred'] as const]) {
      const { ticket, ticket_history } = await tables.fold(
        history(waiting, servedBy(7), act, { type: 'ActionUndone', actionRevision: 2, what, ...back }),
      )
      expect(ticket_history).toMatchObject([{ status: 'open', user_id: 7, queue_id: 5, revision: 3 }])
      expect(ticket).toMatchObject([{ status: 'open', user_id: 7, queue_id: 5 }])
    }
  })
  it('starts waiting and without a message', async () =>
    expect(await row(waiting)).toMatchObject({
      id: 17,
      status: 'pending',
      queue_id: 5,
      user_id: null,
      last_message: '',
      unread_messages: 0,
      revision: 0,
    }))
  it('shows the last message and the unread count', async () =>
    expect(await row(waiting, received(1), received(2, { body: 'Olá?' }))).toMatchObject({
      last_message: 'Olá?',
      last_message_from_me: false,
      unread_messages: 2,
    }))
  it('is read and updated by an answer', async () =>
    expect(await row(waiting, servedBy(7), received(1), sent(2))).toMatchObject({ last_message_from_me: true, unread_messages: 0 }))
  it('ignores internal messages (A-MSG-02)', async () =>
    expect(await row(waiting, received(1), sent(2, { body: 'segredo', private: true }))).toMatchObject({
      ...{ last_message: 'Bom dia', last_message_from_me: false, unread_messages: 1, updated_at: at(1), revision: 2 },
    }))
  it('keeps its first acceptance, and clears its closing time when reopened (A-TICKET-11)', async () => {
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
    const to = (userId: number | null): Fact => ({
      type: 'TicketTransferred',
      userId,
      queueId: 6,
      fromUserId: 7,
      fromQueueId: 5,
      note: null,
    })
    expect(await row(waiting, servedBy(7), to(9))).toMatchObject({ status: 'open', user_id: 9, queue_id: 6, is_transfered: true })
    expect(await row(waiting, servedBy(7), to(null))).toMatchObject({ status: 'pending', user_id: null, queue_id: 6 })
    expect(await row(inGroup, servedBy(7), to(9))).toMatchObject({ status: 'group', user_id: 9 })
  })
  it('follows a return and a queue change', async () => {
    expect(await row(waiting, servedBy(7), { type: 'TicketReturned' })).toMatchObject({ status: 'pending', user_id: null, queue_id: 5 })
    expect(await row(unqueued, { type: 'TicketQueued', queueId: 6 })).toMatchObject({ queue_id: 6 })
  })
  it('is marked as transferred if it has a predecessor (A-TRANSFER-02)', async () =>
    expect(await row(opened({ predecessorId: 16 }))).toMatchObject({ is_transfered: true }))
  it('does not move when it is opened or gets a note', async () => {
    const quiet: Fact[] = [
      { type: 'TicketAccessed', userId: 7 },
      { type: 'NoteAdded', noteId: 1, note: 'x' },
      { type: 'TicketRead', userId: 7, messageId: 1, left: 0 },
    ]
    expect(await row(waiting, received(1), ...quiet)).toMatchObject({ updated_at: at(1), revision: 4, unread_messages: 0 })
  })
})

describe('the waiting time of a ticket (A-TICKET-15)', () => {
  const to = (userId: number | null): Fact => ({ type: 'TicketTransferred', userId, queueId: 6, fromUserId: 7, fromQueueId: 5, note: null })
  const reopened: Fact = { type: 'TicketReopened', userId: 7, queueId: 5 }
  it.each<[string, Fact[], string | null]>([
    ['starts with the ticket, whatever messages arrive', [waiting, received(1), received(2)], at(0)],
    ['ends when it is accepted', [waiting, servedBy(7)], null],
    ['begins again when it is returned', [waiting, servedBy(7), received(1), { type: 'TicketReturned' }, received(2)], at(3)],
    ['begins again when it is transferred to a queue', [waiting, to(null)], at(1)],
    ['ends when it is transferred to somebody', [waiting, to(9)], null],
    ['ends when it is closed, and does not start again when it is reopened', [waiting, closed, reopened], null],
    ['does not exist for a group', [inGroup], null],
  ])('%s', async (_, facts, since) => expect(await row(...facts)).toMatchObject({ waiting_since: since }))
})

describe('the last message', () => {
  const media = { key: 'k', mime: 'audio/ogg', name: 'voz.ogg', size: 1, width: null, height: null, seconds: 2.4 }
  it('keeps its time when the ticket changes', async () =>
    expect(await row(waiting, received(1), servedBy(7), closed)).toMatchObject({ last_message_at: at(1), updated_at: at(3) }))
  it('has its kind, its file name and its length', async () =>
    expect(await row(waiting, received(1, { kind: 'audio', body: '', media }))).toMatchObject({
      ...{ last_message_kind: 'audio', last_message_file: 'voz.ogg', last_message_seconds: 2.4, last_message_user_id: null },
    }))
  it('has its agent, or its participant in a group', async () => {
    expect(await row(waiting, servedBy(7), sent(1, user7))).toMatchObject({ last_message_user_id: 7, last_message_sender: null })
    expect(await row(waiting, received(1, { participant: { id: '1', name: 'Maria' } }))).toMatchObject({ last_message_sender: null })
    expect(await row(inGroup, received(1, { participant: { id: '1', name: 'Maria' } }))).toMatchObject({ last_message_sender: 'Maria' })
  })
  it('shows how far it came if it is ours (R-INBOX-20)', async () => {
    const accepted = (messageId: number): Fact => ({ type: 'MessageAccepted', messageId })
    const ack = async (...facts: Fact[]) => (await row(waiting, servedBy(7), ...facts))!.last_message_ack
    const ours = [received(1), sent(2, user7)]
    expect(await ack(received(1))).toBeNull()
    expect(await ack(...ours)).toBe(0)
    expect(await ack(...ours, accepted(2))).toBe(1)
    expect(await ack(...ours, accepted(2), { type: 'MessagesRead', messageIds: [2] })).toBe(3)
    expect(await ack(...ours, { type: 'MessagesRead', messageIds: [2] }, { type: 'MessagesDelivered', messageIds: [2] })).toBe(3)
    expect(await ack(sent(1, user7), sent(2, user7), { type: 'MessagesRead', messageIds: [1] })).toBe(0)
    expect(await ack(...ours, accepted(2), received(3))).toBeNull()
  })
  it('is marked as deleted until another follows', async () => {
    const gone: Fact = { type: 'MessageRemoved', messageId: 1, from: 'contact' }
    expect(await row(waiting, received(1), gone)).toMatchObject({ last_message_deleted: true })
    expect(await row(waiting, received(1), gone, received(2))).toMatchObject({ last_message_deleted: false })
  })
})

describe('imported messages in the inbox (A-IMP-04)', () => {
  const opens = { ...waiting, imported: true, occurredAt: '2025-11-03T09:00:00.000Z' } as Fact
  const importedMessage = (messageId: number, day: number, to: object = {}): Fact =>
    ({
      ...received(messageId, { type: 'MessageImported', from: 'contact', occurredAt: `2025-11-0${day}T09:00:00.000Z`, ...to }),
    }) as Fact
  const ended: Fact = { type: 'TicketImported', queueId: 6 }
  const then = '2025-11-05T09:00:00+00:00'
  it('show the last message as read, and start no waiting time', async () => {
    const rows = [opens, importedMessage(1, 3), importedMessage(2, 5, { body: 'obrigada' }), ended]
    expect(await row(...rows)).toMatchObject({
      ...{ status: 'pending', queue_id: 6, unread_messages: 0, last_message: 'obrigada', last_message_at: then, last_message_id: 2 },
      ...{ waiting_since: null, updated_at: then, closed_at: null, last_message_from_me: false, last_message_elsewhere: false },
    })
  })
  it('show whether the phone or a participant wrote', async () => {
    expect(await row(opens, importedMessage(1, 3), importedMessage(2, 5, { from: 'us' }))).toMatchObject({
      ...{ status: 'closed', last_message_from_me: true, last_message_elsewhere: true, last_message_sender: null },
    })
    const group = { ...inGroup, imported: true, occurredAt: '2025-11-03T09:00:00.000Z' } as Fact
    const byMaria = importedMessage(1, 5, { participant: { id: '1', name: 'Maria' } })
    expect(await row(group, byMaria, ended)).toMatchObject({ status: 'group', last_message_sender: 'Maria', updated_at: then })
  })
  it('do not replace newer messages', async () =>
    expect(await row(opens, importedMessage(1, 3), ended, received(2, { body: 'oi?' }), importedMessage(3, 4))).toMatchObject({
      ...{ last_message: 'oi?', last_message_at: at(3), unread_messages: 1, waiting_since: at(3) },
    }))
})

describe('the list of failed messages of a ticket', () => {
  const failed = (messageId: number): Fact => ({ type: 'MessageFailed', messageId, code: 'ERR_WAPP_NOT_INITIALIZED' })
  const life = [waiting, servedBy(7), sent(1), sent(2), failed(1), failed(1), { type: 'MessageUncertain', messageId: 2 } as Fact]
  it.each<[string, Fact[], number[]]>([
    ['contains each failed message once', [], [1, 2]],
    ['loses a message that is sent again', [{ type: 'MessageDispatched', messageId: 1, attempt: 2 }], [2]],
    ['loses a message that was sent after all', [{ type: 'MessagesRead', messageIds: [2, 1] }], []],
    ['loses a removed message', [{ type: 'MessageRemoved', messageId: 2, from: 'us' }], [1]],
    ['is kept when the ticket is closed', [closed], [1, 2]],
  ])('%s', async (_, facts, ids) => expect(await row(...life, ...facts)).toMatchObject({ failed_ids: ids }))
})

it('the ticket log shows that a ticket was closed with its connection', async () => {
  const gone: Fact = { ...closed, reason: 'connectionRemoved', by: { kind: 'user', id: 1 } } as Fact
  expect((await tables.fold(history(waiting, servedBy(7), gone))).ticket_log!.at(-1)).toMatchObject({
    ...{ type: 'closed', user_id: 1, way: 'connectionRemoved' },
  })
  expect((await tables.fold(history(waiting, servedBy(7), closed))).ticket_log!.at(-1)).toMatchObject({ type: 'closed', way: null })
})

it('the ticket log shows that a ticket was closed without being served', async () => {
  const ignored: Fact = { ...closed, reason: 'ignored', waited: true, by: { kind: 'user', id: 1 } } as Fact
  const { ticket_log: log, ticket: rows } = await tables.fold(history(waiting, ignored))
  expect(log!.at(-1)).toMatchObject({ type: 'closed', user_id: 1, way: 'ignored' })
  expect(rows).toMatchObject([{ status: 'closed', close_reason: 'ignored' }])
  expect((await tables.fold(history(waiting, ignored, { type: 'TicketReopened', userId: 7 } as Fact))).ticket).toMatchObject([
    { close_reason: null },
  ])
})

describe('the transfer shown on a ticket (A-TRANSFER-01)', () => {
  const to = (userId: number | null): Fact => ({
    ...{ type: 'TicketTransferred', userId, queueId: 6, fromUserId: 7, fromQueueId: 5, note: 'Quer o boleto' },
    ...{ by: { kind: 'user', id: 7 } },
  })
  const handedOver = { userId: 7, note: 'Quer o boleto' }
  const looked = (userId: number): Fact => ({ type: 'TicketAccessed', userId })
  const goesOn = opened({
    predecessorId: 16,
    transfer: { userId: 9, fromUserId: 7, fromQueueId: 5, note: null },
    note: 'Quer o boleto',
  } as never)
  const given = { ...servedBy(9), waited: false } as Fact
  it.each<[string, Fact[], object | null]>([
    ['is shown with its agent and note', [waiting, to(9)], handedOver],
    ['is still shown after another agent opened the ticket', [waiting, to(9), looked(8)], handedOver],
    ['is hidden after its receiver opened the ticket', [waiting, to(9), looked(9)], null],
    ['is hidden after an agent accepted the ticket', [waiting, to(null), servedBy(8)], null],
    ['is shown on a successor', [goesOn, given], handedOver],
    ['is hidden after the successor was opened', [goesOn, given, looked(9)], null],
  ])('%s', async (_, facts, transfer) => {
    const { transfer: shown } = (await row(...facts)) as { transfer: object | null }
    expect(shown).toEqual(transfer && { ...transfer, at: expect.any(String) })
  })
  it('appears in the log as one transfer and one receipt, in every form (A-TRANSFER-04)', async () => {
    const successor = { ticketId: 18, uuid: crypto.randomUUID(), userId: 9, queueId: 6 }
    const closing: Fact = { ...closed, reason: 'transfer', farewell: false, successor, queueId: 5, note: 'Quer o boleto' } as Fact
    for (const facts of [[waiting, servedBy(7), to(9)], [waiting, servedBy(7), closing], [goesOn]]) {
      const lines = (await tables.fold(history(...facts))).ticket_log!
      expect(lines.filter(({ type }) => type === 'transfered')).toMatchObject([{ user_id: 7, from_user_id: 7, queue_id: 5 }])
      expect(lines.filter(({ type }) => type === 'receivedTransfer')).toMatchObject([{ user_id: 9, note: 'Quer o boleto' }])
      expect(lines.filter(({ type }) => type === 'closed')).toEqual([])
    }
  })
})

type Counted = { sent: number; received: number }
const total = (rows: Counted[], what: keyof Counted) => rows.reduce((sum, one) => sum + one[what], 0)
describe('deleting a ticket (A-TICKET-12)', () => {
  const gone = {
    ticket: [],
    ticket_counter: [],
    ticket_log: [],
    message: [],
    note: [],
    ticket_history: [expect.objectContaining({ id: 17, status: 'deleted' })],
    traffic: [expect.objectContaining({ id: -17 }), expect.objectContaining({ id: 2 })], // it was sent all the same
    ticket_interval: [],
    ticket_closing: [],
    traffic_sum: expect.toSatisfy((rows: Counted[]) => total(rows, 'sent') === 1 && total(rows, 'received') === 1, 'one each way'),
  }
  const life: Fact[] = [
    waiting,
    received(1),
    servedBy(7),
    sent(2),
    { type: 'NoteAdded', noteId: 1, note: 'x' },
    { type: 'TicketAccessed', userId: 7 },
  ]
  /** The facts keep only ids and times, because reports name how many tickets were deleted (A-COUNT-04). */
  const withoutFacts = ({ ticket_fact: facts, ...rows }: Record<string, any[]>) => {
    expect(facts).toMatchObject([{ id: 17, deleted_at: expect.any(String) }])
    return rows
  }
  it('clears every table except the history index, in any batch size', async () => {
    expect(withoutFacts(await tables.fold(history(...life, deleted)))).toEqual(gone)
    expect(withoutFacts(await tables.fold(history(...life, deleted), { batch: 1 }))).toEqual(gone)
  })
  it('keeps the rows of other tickets', async () => {
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
  it('is not reverted by later events', async () =>
    expect(
      withoutFacts(
        await tables.fold(
          history(...life, deleted, { type: 'MessagesRead', messageIds: [2] }, { type: 'MessageFailed', messageId: 2, code: 'X' }),
        ),
      ),
    ).toEqual(gone))
})
