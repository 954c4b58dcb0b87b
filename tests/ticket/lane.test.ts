import { describe, expect, it } from 'vitest'
import { reachable } from '#domain/ticket/lane.ts'
import { scheduledRules } from '#domain/ticket/timeouts.ts'
import {
  by,
  closed,
  contact,
  content,
  deleted,
  given,
  inGroup,
  later,
  never,
  opening,
  received,
  sent,
  servedBy,
  system,
  waiting,
} from '#tests/support/story.ts'

const enter = (tagId: number) => ({ type: 'EnterLane' as const, tagId })
const stands = (tagId: number, fromTagId: number | null = null) => ({ type: 'LaneEntered' as const, tagId, fromTagId })
const leave = { type: 'LeaveLane' as const }

describe('a lane of the board (A-LANE-02)', () => {
  it('is entered, from none or straight from another', () => {
    given(waiting).when(enter(9)).then(stands(9))
    given(waiting, servedBy(7), stands(9)).when(enter(10)).then(stands(10, 9))
  })
  it('is left', () => given(waiting, stands(9), stands(10, 9)).when(leave).then({ type: 'LaneLeft', tagId: 10 }))
  it('is one: whoever stands there does not enter it again, and who stands in none leaves none', () => {
    given(waiting, stands(9)).when(enter(9)).nothing()
    given(waiting).when(leave).nothing()
  })
  it('is remembered with the moment it was entered, and kept when the ticket is closed (A-LANE-01)', () =>
    expect(given(waiting, { ...stands(9), at: later(5) }, servedBy(7), closed).folded()).toMatchObject({
      lane: { tagId: 9, since: later(5) },
    }))
  it('is none of a ticket that is no longer there', () => given(waiting, deleted).when(enter(9)).refused('ERR_NO_TICKET_FOUND'))
})

describe('the time of a lane (A-LANE-01)', () => {
  const lane = { tagId: 9, ms: 60 * 60_000, to: 10 }
  const wait = (at: number, more = {}) => ({ type: 'Wait' as const, waits: { ...never, lane, ...more }, at: later(at), ...by(system) })
  const movedOn = { ...stands(10, 9), why: 'laneTime' as const, rule: 'A-LANE-01' }
  const at = (minutes: number) => ({ at: later(minutes) })

  it('moves on what waits and what is served, so long after it came there', () => {
    given(waiting, stands(9)).when(wait(60)).then(movedOn)
    given(waiting, servedBy(7), stands(9)).when(wait(60)).then(movedOn)
    given(waiting, { ...stands(9), ...at(30) })
      .when(wait(89))
      .nothing()
    given(waiting, { ...stands(9), ...at(30) })
      .when(wait(90))
      .then(movedOn)
  })
  it('begins anew with every word of either side, but not with what only we read', () => {
    given(waiting, stands(9), received(1, at(30)))
      .when(wait(60))
      .nothing()
    given(waiting, servedBy(7), stands(9), sent(1, at(30)))
      .when(wait(89))
      .nothing()
    given(waiting, servedBy(7), stands(9), sent(1, { ...at(30), private: true }))
      .when(wait(60))
      .then(movedOn)
  })
  it('is over once: whoever asks again, late, or of a lane that it has left, gets nothing', () => {
    given(waiting, stands(9), { ...movedOn, ...at(60) })
      .when(wait(61))
      .nothing()
    given(waiting, stands(9), stands(11, 9)).when(wait(600)).nothing()
    given(waiting, stands(9), { type: 'LaneLeft', tagId: 9 }).when(wait(600)).nothing()
  })
  it('may go in a circle, each lane with its own hours', () =>
    given(waiting, stands(9), { ...movedOn, ...at(60) })
      .when(wait(120, { lane: { tagId: 10, ms: 60 * 60_000, to: 9 } }))
      .then({ ...movedOn, tagId: 9, fromTagId: 10 }))
  it('stands still in what is closed, in a group, and where nothing is set', () => {
    given(waiting, stands(9), servedBy(7), closed).when(wait(600)).nothing()
    given(inGroup, stands(9)).when(wait(600)).nothing()
    given(waiting, stands(9))
      .when(wait(600, { lane: null }))
      .nothing()
  })
  it('goes on where the ticket does, from where it stood', () =>
    given(waiting, stands(9), servedBy(7), closed, { type: 'TicketReopened', userId: 7, queueId: 5, ...at(90) })
      .when(wait(91))
      .then(movedOn))
  it('is told before it is over', () =>
    expect(scheduledRules(given(waiting, stands(9), received(1, at(10))).folded(), { ...never, lane })).toEqual([
      { rule: 'A-LANE-01', dueAt: Date.parse(later(70)) },
    ]))
  it('moves nothing on whose end is due as well', () =>
    given(waiting, servedBy(7), sent(1), stands(9))
      .when(wait(60, { expiresMs: 60_000 }))
      .then({
        ...{ type: 'TicketClosed', reason: 'expired', farewell: false, waited: false, userId: 7, successor: null, queueId: 5 },
        rule: 'A-EXP-01',
      }))
})

describe('a contact who writes goes back a lane (A-LANE-01)', () => {
  const { quotedId: _, ...said } = content
  const writes = (more = {}) => ({
    ...{ type: 'Receive' as const, messageId: 1, externalId: 'in-1', participant: null, quotedExternalId: null, opening, ...said },
    ...{ lanesBack: { 9: 8 }, ...by(contact), ...more },
  })
  const came = {
    type: 'MessageReceived' as const,
    messageId: 1,
    externalId: 'in-1',
    participant: null,
    author: null,
    queueId: 5,
    ...content,
  }
  const movedBack = (answers: number) => ({ ...stands(8, 9), why: 'laneBack' as const, rule: 'A-LANE-01', answers })

  it('together with the message, whether it waits or is served', () => {
    given(waiting, stands(9)).when(writes()).then(came, movedBack(2))
    given(waiting, servedBy(7), stands(9)).when(writes()).then(came, movedBack(3))
  })
  it('also with a message that makes it go on after it was closed', () =>
    given(waiting, stands(9), servedBy(7), closed)
      .when(writes({ resumes: { withinMs: 60_000, queueId: 5 } }))
      .then({ type: 'TicketResumed', queueId: 5, rule: 'A-EXP-04' }, came, movedBack(5)))
  it('not from a lane of which nothing is said, nor from none, nor in a group', () => {
    given(waiting, stands(10)).when(writes()).then(came)
    given(waiting).when(writes()).then(came)
    given(inGroup, stands(9)).when(writes()).then(came)
    given(waiting, stands(9))
      .when(writes({ lanesBack: { 9: 9 } }))
      .then(came)
  })
  it('once for a message, however often it is reported', () => given(waiting, stands(9), received(1)).when(writes()).nothing())
})

it('may be said to Facebook and Instagram within a day of what the contact wrote last, elsewhere always (A-LANE-01)', () => {
  const heardAt = later(0)
  const day = 24 * 60
  for (const channel of ['facebook', 'instagram'] as const) {
    expect(reachable({ channel, heardAt }, later(day))).toBe(true)
    expect(reachable({ channel, heardAt }, later(day + 1))).toBe(false)
    expect(reachable({ channel, heardAt: null }, later(1))).toBe(false)
  }
  expect(reachable({ channel: 'whatsapp', heardAt: null }, later(day + 1))).toBe(true)
})
