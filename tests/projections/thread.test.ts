import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placed } from '#tests/support/history.ts'
import { by, closed, type Fact, opened, received, sent, servedBy, system, user, waiting } from '#tests/support/story.ts'
import { openTables } from '#tests/support/tables.ts'

let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.drop())

const fold = (...facts: Fact[]) => tables.fold(placed(facts.map((fact) => ({ ...fact, of: 17 }))))
const message = async (...facts: Fact[]) => (await fold(waiting, servedBy(7), ...facts)).message![0]

describe('the row of a message', () => {
  it('has the fields of the contact’s message', async () =>
    expect(await message(received(1, { participant: { id: '1', name: 'Zé' } }))).toMatchObject({
      id: 1,
      from_me: false,
      user_id: null,
      sender_name: 'Zé',
      ack: 0,
      revision: 2,
    }))
  it('replaces characters that Postgres cannot store', async () =>
    expect(await message(received(1, { body: 'a\0b \ud83d c 🙂 \\ud83d', participant: { id: '1', name: '\ude00' } }))).toMatchObject({
      body: 'a\ufffdb \ufffd c 🙂 \\ud83d',
      sender_name: '\ufffd',
    }))
  it('has the fields of an agent’s message and of a system message', async () => {
    expect(await message(sent(1, { ...by(user(8)), private: true, forwarded: true }))).toMatchObject({
      from_me: true,
      user_id: 8,
      is_private: true,
      is_forwarded: true,
    })
    expect(await message(sent(1, by(system)))).toMatchObject({ from_me: true, user_id: null })
  })
  it('has a delivery state that only rises', async () => {
    const marks: Fact[] = [
      { type: 'MessagesRead', messageIds: [1] },
      { type: 'MessagesDelivered', messageIds: [1] },
      { type: 'MessageAccepted', messageId: 1 },
    ]
    expect(await message(sent(1), ...marks)).toMatchObject({ ack: 3 })
    expect(await message(sent(1), ...marks, { type: 'MessagesPlayed', messageIds: [1] })).toMatchObject({ ack: 5 })
  })
  it('clears a failure or an uncertainty once the message is delivered', async () => {
    const failed: Fact = { type: 'MessageFailed', messageId: 1, code: 'BLOCKED' }
    const doubt: Fact = { type: 'MessageUncertain', messageId: 1 }
    expect(await message(sent(1), failed)).toMatchObject({ failed: 'BLOCKED', ack: 0 })
    expect(await message(sent(1), doubt)).toMatchObject({ uncertain: true })
    expect(await message(sent(1), failed, doubt, { type: 'MessagesDelivered', messageIds: [1] })).toMatchObject({
      failed: null,
      uncertain: false,
      ack: 2,
    })
  })
  it('refers to the message that was sent again, in any batch size', async () => {
    const failed: Fact = { type: 'MessageFailed', messageId: 1, code: 'BLOCKED' }
    const facts = [waiting, servedBy(7), sent(1), failed, sent(2, { again: 1 })].map((fact) => ({ ...fact, of: 17 }))
    for (const batch of [500, 1, 4]) {
      const { message } = await tables.fold(placed(facts), { batch })
      expect(message!.sort((a, b) => a.id - b.id)).toMatchObject([
        { id: 1, body: 'Bom dia', failed: 'BLOCKED', sent_again: 2, revision: 2 },
        { id: 2, body: 'Bom dia', failed: null, sent_again: null },
      ])
    }
  })
  it('can be edited, and removed without losing its text', async () =>
    expect(
      await message(
        sent(1),
        { type: 'MessageEdited', messageId: 1, body: 'Boa tarde' },
        { type: 'MessageRemoved', messageId: 1, from: 'us' },
      ),
    ).toMatchObject({
      ...{ body: 'Boa tarde', is_edited: true, deleted_by: 'us' },
    }))
  it('has one reaction per side (A-MSG-06)', async () => {
    const react = (emoji: string, from: 'us' | 'contact'): Fact => ({ type: 'MessageReacted', messageId: 1, emoji, from })
    const both = [received(1), react('👍', 'us'), react('🙏', 'contact'), react('❤️', 'us')]
    expect((await message(...both)).reactions).toEqual([
      { emoji: '🙏', from: 'contact' },
      { emoji: '❤️', from: 'us' },
    ])
    expect((await message(...both, { type: 'ReactionRemoved', messageId: 1, from: 'us' })).reactions).toEqual([
      { emoji: '🙏', from: 'contact' },
    ])
  })
  describe('is marked as read (A-TICKET-06)', () => {
    const read = async (...facts: Fact[]) =>
      (await fold(waiting, servedBy(7), ...facts)).message!.sort((a, b) => a.id - b.id).map((row) => row.read)
    const seen = (messageId: number, left = 0): Fact => ({ type: 'TicketRead', userId: 7, messageId, left })
    it('up to the message that was seen, whatever its id', async () => {
      expect(await read(received(1), received(2), seen(1, 1))).toEqual([true, false])
      expect(await read(received(9), received(2), seen(9, 1))).toEqual([false, true])
      expect(await read(received(1), seen(1), received(2))).toEqual([true, false])
    })
    it('completely by an event without a message id', async () =>
      expect(await read(received(1), received(2), seen(2))).toEqual([true, true]))
    it('by an agent’s answer, not by internal, forwarded or system messages', async () => {
      expect(await read(received(1), sent(2), received(3))).toEqual([true, false, false])
      for (const not of [{ private: true }, { aside: true }, by(system)])
        expect(await read(received(1), sent(2, not))).toEqual([false, false])
    })
    it('and stays read after other changes, in any batch size', async () => {
      const facts: Fact[] = [received(1), seen(1), { type: 'MessageEdited', messageId: 1, body: 'Oi' }, closed]
      expect(await read(...facts)).toEqual([true])
      const told = placed([waiting, servedBy(7), ...facts].map((fact) => ({ ...fact, of: 17 })))
      expect((await tables.fold(told, { batch: 1 })).message).toMatchObject([{ read: true, body: 'Oi' }])
    })
    it('not by another ticket’s event', async () => {
      const told = placed([
        ...[waiting, servedBy(7), received(1)].map((fact) => ({ ...fact, of: 17 })),
        ...[opened({ ticketId: 18, uuid: crypto.randomUUID() }), servedBy(7), received(2), seen(2)].map(
          (fact) => ({ ...fact, of: 18 }) as Fact & { of: number },
        ),
      ])
      expect((await tables.fold(told)).message!.sort((a, b) => a.id - b.id)).toMatchObject([{ read: false }, { read: true }])
    })
  })
  it('is not created by a receipt for an unknown message', async () =>
    expect(await message({ type: 'MessagesRead', messageIds: [9] })).toBeUndefined())
})

describe('the ticket log (R-TICKET-21)', () => {
  const types = async (...facts: Fact[]) =>
    (await fold(...facts))
      .ticket_log!.sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ type, user_id, queue_id }) => [type, user_id, queue_id])
  it('has the words of the specification in order', async () =>
    expect(
      await types(
        waiting,
        servedBy(7),
        { type: 'TicketAccessed', userId: 7 },
        { type: 'TicketReturned' },
        { type: 'TicketQueued', queueId: 6 },
        servedBy(8, 6),
        closed,
        {
          ...{ type: 'TicketReopened', userId: 9, queueId: 6 },
        },
      ),
    ).toEqual([
      ['create', null, 5],
      ['open', 7, 5],
      ['access', 7, null],
      ['pending', 7, null],
      ['queue', null, 6],
      ['open', 8, 6],
      ['closed', 7, null],
      ['reopen', 9, 6],
    ]))
  it('has both sides of a transfer (A-TRANSFER-04)', async () =>
    expect(
      (
        await types(waiting, servedBy(7), { type: 'TicketTransferred', userId: 9, queueId: 6, fromUserId: 7, fromQueueId: 5, note: null })
      ).slice(2),
    ).toEqual([
      ['transfered', 7, 5],
      ['receivedTransfer', 9, 6],
    ]))
  it('has no message texts', async () => expect(await types(waiting, received(1), sent(2))).toHaveLength(1))
})

describe('notes', () => {
  it('exist until they are removed', async () => {
    const added: Fact = { type: 'NoteAdded', noteId: 51, note: 'Pediu boleto' }
    expect((await fold(waiting, added)).note).toMatchObject([{ id: 51, user_id: 7, note: 'Pediu boleto' }])
    expect((await fold(waiting, added, { type: 'NoteRemoved', noteId: 51 })).note).toEqual([])
  })
})
