import { describe, expect, it } from 'vitest'
import { deleted, given, received, sent, servedBy, waiting } from '#tests/support/story.ts'

const served = [waiting, servedBy(7)]
const accepted = (messageId: number) => ({ type: 'MessageAccepted' as const, messageId })
const delivered = (...messageIds: number[]) => ({ type: 'MessagesDelivered' as const, messageIds })
const read = (...messageIds: number[]) => ({ type: 'MessagesRead' as const, messageIds })
const mark = (what: 'delivered' | 'read' | 'played', ...externalIds: string[]) => ({ type: 'Mark' as const, mark: what, externalIds })

describe('the attempt to send', () => {
  it('is told each time, until the channel has it', () => {
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
  it('may fail, or end in doubt, but not after the channel had it', () => {
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
  it('may fail also after a part of it was delivered, where the rest was not', () => {
    const inPart = { type: 'Fail' as const, messageId: 1, code: 'PART', partly: true as const }
    const failed = { type: 'MessageFailed' as const, messageId: 1, code: 'PART' }
    given(...served, sent(1), delivered(1))
      .when(inPart)
      .then(failed)
    given(...served, sent(1), delivered(1), failed)
      .when(inPart)
      .nothing()
  })
  it('says nothing of a message that is not here, or of a ticket that is gone', () => {
    given(...served)
      .when({ type: 'Accepted', messageId: 1 })
      .nothing()
    given(...served, sent(1), deleted)
      .when({ type: 'Fail', messageId: 1, code: 'BLOCKED' })
      .nothing()
  })
})

describe('marks', () => {
  it('are told of many messages at once', () =>
    given(...served, sent(1), sent(2))
      .when(mark('read', 'out-1', 'out-2'))
      .then(read(1, 2)))
  it('only ever go up', () => {
    given(...served, sent(1), read(1))
      .when(mark('delivered', 'out-1'))
      .nothing()
    expect(given(...served, sent(1), read(1), delivered(1), accepted(1)).folded()).toMatchObject({
      messages: new Map([[1, expect.objectContaining({ ack: 3 })]]),
    })
  })
  it('are told once', () =>
    given(...served, sent(1), delivered(1))
      .when(mark('delivered', 'out-1'))
      .nothing())
  it('tell only what is new among many', () =>
    given(...served, sent(1), sent(2), read(1))
      .when(mark('read', 'out-1', 'out-2'))
      .then(read(2)))
  it('may skip a step, and a played one is beyond read', () => {
    given(...served, sent(1))
      .when(mark('played', 'out-1'))
      .then({ type: 'MessagesPlayed', messageIds: [1] })
    given(...served, sent(1), { type: 'MessagesPlayed', messageIds: [1] })
      .when(mark('read', 'out-1'))
      .nothing()
  })
  it('are of our messages, not of the contact’s', () =>
    given(...served, received(1))
      .when(mark('read', 'in-1'))
      .nothing())
  it('of what nobody knows, or of a ticket that is gone, are nothing', () => {
    given(...served)
      .when(mark('read', 'out-1'))
      .nothing()
    given().when(mark('read', 'out-1')).nothing()
    given(...served, sent(1), deleted)
      .when(mark('read', 'out-1'))
      .nothing()
  })
})
