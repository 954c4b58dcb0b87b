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

describe('a message as the thread holds it', () => {
  it('of the contact', async () =>
    expect(await message(received(1, { participant: { id: '1', name: 'Zé' } }))).toMatchObject({
      id: 1,
      from_me: false,
      user_id: null,
      sender_name: 'Zé',
      ack: 0,
      revision: 2,
    }))
  it('shows what Postgres cannot hold as what cannot be shown', async () =>
    expect(await message(received(1, { body: 'a\0b \ud83d c 🙂 \\ud83d', participant: { id: '1', name: '\ude00' } }))).toMatchObject({
      body: 'a\ufffdb \ufffd c 🙂 \\ud83d',
      sender_name: '\ufffd',
    }))
  it('of an agent, and of the system', async () => {
    expect(await message(sent(1, { ...by(user(8)), private: true, forwarded: true }))).toMatchObject({
      from_me: true,
      user_id: 8,
      is_private: true,
      is_forwarded: true,
    })
    expect(await message(sent(1, by(system)))).toMatchObject({ from_me: true, user_id: null })
  })
  it('has marks that only go up', async () => {
    const marks: Fact[] = [
      { type: 'MessagesRead', messageIds: [1] },
      { type: 'MessagesDelivered', messageIds: [1] },
      { type: 'MessageAccepted', messageId: 1 },
    ]
    expect(await message(sent(1), ...marks)).toMatchObject({ ack: 3 })
    expect(await message(sent(1), ...marks, { type: 'MessagesPlayed', messageIds: [1] })).toMatchObject({ ack: 5 })
  })
  it('forgets a failure or a doubt once it arrives', async () => {
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
  it('knows what it was sent once more as, and keeps all else, in one batch as in many', async () => {
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
  it('is edited, and removed without losing its words', async () =>
    expect(
      await message(
        sent(1),
        { type: 'MessageEdited', messageId: 1, body: 'Boa tarde' },
        { type: 'MessageRemoved', messageId: 1, from: 'us' },
      ),
    ).toMatchObject({
      ...{ body: 'Boa tarde', is_edited: true, deleted_by: 'us' },
    }))
  it('has one reaction a side (A-MSG-06)', async () => {
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
  describe('is read (A-TICKET-06)', () => {
    const read = async (...facts: Fact[]) =>
      (await fold(waiting, servedBy(7), ...facts)).message!.sort((a, b) => a.id - b.id).map((row) => row.read)
    const seen = (of: object = {}): Fact => ({ type: 'TicketRead', userId: 7, ...of })
    it('up to what was seen, whatever its id', async () => {
      expect(await read(received(1), received(2), seen({ messageId: 1, left: 1 }))).toEqual([true, false])
      expect(await read(received(9), received(2), seen({ messageId: 9, left: 1 }))).toEqual([false, true])
      expect(await read(received(1), seen({ messageId: 1, left: 0 }), received(2))).toEqual([true, false])
    })
    it('all of it, by a fact that did not say how far', async () =>
      expect(await read(received(1), received(2), seen())).toEqual([true, true]))
    it('by an answer of ours, and not by a word among us, one put there from elsewhere or the system’s', async () => {
      expect(await read(received(1), sent(2), received(3))).toEqual([true, false, false])
      for (const not of [{ private: true }, { aside: true }, by(system)])
        expect(await read(received(1), sent(2, not))).toEqual([false, false])
    })
    it('and stays so whatever is done to it, in one batch as in many', async () => {
      const facts: Fact[] = [received(1), seen({ messageId: 1, left: 0 }), { type: 'MessageEdited', messageId: 1, body: 'Oi' }, closed]
      expect(await read(...facts)).toEqual([true])
      const told = placed([waiting, servedBy(7), ...facts].map((fact) => ({ ...fact, of: 17 })))
      expect((await tables.fold(told, { batch: 1 })).message).toMatchObject([{ read: true, body: 'Oi' }])
    })
    it('of no other ticket', async () => {
      const told = placed([
        ...[waiting, servedBy(7), received(1)].map((fact) => ({ ...fact, of: 17 })),
        ...[opened({ ticketId: 18, uuid: crypto.randomUUID() }), servedBy(7), received(2), seen()].map(
          (fact) => ({ ...fact, of: 18 }) as Fact & { of: number },
        ),
      ])
      expect((await tables.fold(told)).message!.sort((a, b) => a.id - b.id)).toMatchObject([{ read: false }, { read: true }])
    })
  })
  it('of nobody is made by no mark', async () => expect(await message({ type: 'MessagesRead', messageIds: [9] })).toBeUndefined())
})

describe('the ticket log (R-TICKET-21)', () => {
  const types = async (...facts: Fact[]) =>
    (await fold(...facts))
      .ticket_log!.sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ type, user_id, queue_id }) => [type, user_id, queue_id])
  it('says the specification’s words in order', async () =>
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
  it('says both sides of a transfer (A-TRANSFER-04)', async () =>
    expect(
      (await types(waiting, servedBy(7), { type: 'TicketTransferred', userId: 9, queueId: 6, fromUserId: 7, fromQueueId: 5 })).slice(2),
    ).toEqual([
      ['transfered', 7, 5],
      ['receivedTransfer', 9, 6],
    ]))
  it('says nothing of what is said', async () => expect(await types(waiting, received(1), sent(2))).toHaveLength(1))
})

describe('notes', () => {
  it('stand until they are removed', async () => {
    const added: Fact = { type: 'NoteAdded', noteId: 51, note: 'Pediu boleto' }
    expect((await fold(waiting, added)).note).toMatchObject([{ id: 51, user_id: 7, note: 'Pediu boleto' }])
    expect((await fold(waiting, added, { type: 'NoteRemoved', noteId: 51 })).note).toEqual([])
  })
})
