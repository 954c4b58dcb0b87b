import { describe, expect, it } from 'vitest'
import { deleted, given, received, sent, servedBy, waiting } from '#tests/support/story.ts'

const served = [waiting, servedBy(7)]
const accepted = (messageId: number) => ({ type: 'MessageAccepted' as const, messageId })
const delivered = (...messageIds: number[]) => ({ type: 'MessagesDelivered' as const, messageIds })
const read = (...messageIds: number[]) => ({ type: 'MessagesRead' as const, messageIds })
const mark = (what: 'delivered' | 'read' | 'played', ...externalIds: string[]) => ({ type: 'Mark' as const, mark: what, externalIds })

describe('a send attempt', () => {
  it('is recorded each time until the channel accepts the message', () => {
    given(...served, sent(1))
      .when({ type: 'Dispatch', messageId: 1, attempt: 1 })
      .then({ type: 'MessageDispatched', messageId: 1, attempt: 1 })
    given(...served, sent(1), accepted(1))
      .when({ type: 'Dispatch', messageId: 1, attempt: 2 })
      .nothing()
  })
  it('is accepted once', () => {
    given(...served, sent(1))
      .when({ type: 'Accepted', messageId: 1 })
      .then(accepted(1))
    given(...served, sent(1), accepted(1))
      .when({ type: 'Accepted', messageId: 1 })
      .nothing()
  })
  it('can fail or end uncertain, but not after the channel accepted the message', () => {
    given(...served, sent(1))
      .when({ type: 'Fail', messageId: 1, code: 'BLOCKED' })
      .then({ type: 'MessageFailed', messageId: 1, code: 'BLOCKED' })
    given(...served, sent(1))
      .when({ type: 'Doubt', messageId: 1 })
      .then({ type: 'MessageUncertain', messageId: 1 })
    given(...served, sent(1), delivered(1))
      .when({ type: 'Fail', messageId: 1, code: 'BLOCKED' })
      .nothing()
    given(...served, sent(1), accepted(1))
      .when({ type: 'Doubt', messageId: 1 })
      .nothing()
  })
  it('can fail after a part was delivered', () => {
    const inPart = { type: 'Fail' as const, messageId: 1, code: 'PART', partly: true as const }
    const failed = { type: 'MessageFailed' as const, messageId: 1, code: 'PART' }
    given(...served, sent(1), delivered(1))
      .when(inPart)
      .then(failed)
    given(...served, sent(1), delivered(1), failed)
      .when(inPart)
      .nothing()
  })
  it('is ignored for a missing message or a deleted ticket', () => {
    given(...served)
      .when({ type: 'Accepted', messageId: 1 })
      .nothing()
    given(...served, sent(1), deleted)
      .when({ type: 'Fail', messageId: 1, code: 'BLOCKED' })
      .nothing()
  })
})

describe('delivery receipts', () => {
  it('are recorded for many messages at once', () =>
    given(...served, sent(1), sent(2))
      .when(mark('read', 'out-1', 'out-2'))
      .then(read(1, 2)))
  it('never lower the state', () => {
    given(...served, sent(1), read(1))
      .when(mark('delivered', 'out-1'))
      .nothing()
    expect(given(...served, sent(1), read(1), delivered(1), accepted(1)).folded()).toMatchObject({
      messages: new Map([[1, expect.objectContaining({ ack: 3 })]]),
    })
  })
  it('are recorded once', () =>
    given(...served, sent(1), delivered(1))
      .when(mark('delivered', 'out-1'))
      .nothing())
  it('record only what is new among many', () =>
    given(...served, sent(1), sent(2), read(1))
      .when(mark('read', 'out-1', 'out-2'))
      .then(read(2)))
  it('may skip a state, and "played" is above "read"', () => {
    given(...served, sent(1))
      .when(mark('played', 'out-1'))
      .then({ type: 'MessagesPlayed', messageIds: [1] })
    given(...served, sent(1), { type: 'MessagesPlayed', messageIds: [1] })
      .when(mark('read', 'out-1'))
      .nothing()
  })
  it('apply to agents’ messages only', () =>
    given(...served, received(1))
      .when(mark('read', 'in-1'))
      .nothing())
  it('are ignored for an unknown message or a deleted ticket', () => {
    given(...served)
      .when(mark('read', 'out-1'))
      .nothing()
    given().when(mark('read', 'out-1')).nothing()
    given(...served, sent(1), deleted)
      .when(mark('read', 'out-1'))
      .nothing()
  })
})
