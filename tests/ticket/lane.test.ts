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
const laneEntered = (tagId: number, fromTagId: number | null = null) => ({ type: 'LaneEntered' as const, tagId, fromTagId })
const leave = { type: 'LeaveLane' as const }

describe('a lane of the board (A-LANE-02)', () => {
  it('is entered from no lane or directly from another lane', () => {
    given(waiting).when(enter(9)).then(laneEntered(9))
    given(waiting, servedBy(7), laneEntered(9)).when(enter(10)).then(laneEntered(10, 9))
  })
  it('can be left', () => given(waiting, laneEntered(9), laneEntered(10, 9)).when(leave).then({ type: 'LaneLeft', tagId: 10 }))
  it('is not entered twice, and nothing happens on leaving without a lane', () => {
    given(waiting, laneEntered(9)).when(enter(9)).nothing()
    given(waiting).when(leave).nothing()
  })
  it('is kept with its entry time, also when the ticket is closed (A-LANE-01)', () =>
    expect(given(waiting, { ...laneEntered(9), at: later(5) }, servedBy(7), closed).folded()).toMatchObject({
      lane: { tagId: 9, since: later(5) },
    }))
  it('is refused for a deleted ticket', () => given(waiting, deleted).when(enter(9)).refused('ERR_NO_TICKET_FOUND'))
})

describe('the time limit of a lane (A-LANE-01)', () => {
  const lane = { tagId: 9, ms: 60 * 60_000, to: 10 }
  const wait = (at: number, more = {}) => ({
    type: 'ApplyTimeout' as const,
    policy: { ...never, lane, ...more },
    at: later(at),
    ...by(system),
  })
  const movedOn = { ...laneEntered(10, 9), why: 'laneTime' as const, rule: 'A-LANE-01' }
  const at = (minutes: number) => ({ at: later(minutes) })

  it('moves waiting and served tickets to the next lane', () => {
    given(waiting, laneEntered(9)).when(wait(60)).then(movedOn)
    given(waiting, servedBy(7), laneEntered(9)).when(wait(60)).then(movedOn)
    given(waiting, { ...laneEntered(9), ...at(30) })
      .when(wait(89))
      .nothing()
    given(waiting, { ...laneEntered(9), ...at(30) })
      .when(wait(90))
      .then(movedOn)
  })
  it('restarts with every message of either side, except internal ones', () => {
    given(waiting, laneEntered(9), received(1, at(30)))
      .when(wait(60))
      .nothing()
    given(waiting, servedBy(7), laneEntered(9), sent(1, at(30)))
      .when(wait(89))
      .nothing()
    given(waiting, servedBy(7), laneEntered(9), sent(1, { ...at(30), private: true }))
      .when(wait(60))
      .then(movedOn)
  })
  it('has no effect twice, late, or after the ticket left the lane', () => {
    given(waiting, laneEntered(9), { ...movedOn, ...at(60) })
      .when(wait(61))
      .nothing()
    given(waiting, laneEntered(9), laneEntered(11, 9)).when(wait(600)).nothing()
    given(waiting, laneEntered(9), { type: 'LaneLeft', tagId: 9 }).when(wait(600)).nothing()
  })
  it('allows a cycle of lanes, each with its own time limit', () =>
    given(waiting, laneEntered(9), { ...movedOn, ...at(60) })
      .when(wait(120, { lane: { tagId: 10, ms: 60 * 60_000, to: 9 } }))
      .then({ ...movedOn, tagId: 9, fromTagId: 10 }))
  it('does not apply to closed tickets, groups and lanes without a limit', () => {
    given(waiting, laneEntered(9), servedBy(7), closed).when(wait(600)).nothing()
    given(inGroup, laneEntered(9)).when(wait(600)).nothing()
    given(waiting, laneEntered(9))
      .when(wait(600, { lane: null }))
      .nothing()
  })
  it('continues in the same lane when the ticket is reopened', () =>
    given(waiting, laneEntered(9), servedBy(7), closed, { type: 'TicketReopened', userId: 7, queueId: 5, ...at(90) })
      .when(wait(91))
      .then(movedOn))
  it('is announced as an upcoming deadline', () =>
    expect(scheduledRules(given(waiting, laneEntered(9), received(1, at(10))).folded(), { ...never, lane })).toEqual([
      { rule: 'A-LANE-01', dueAt: Date.parse(later(70)) },
    ]))
  it('moves no ticket that is due to be closed at the same time', () =>
    given(waiting, servedBy(7), sent(1), laneEntered(9))
      .when(wait(60, { expiresMs: 60_000 }))
      .then({
        ...{ type: 'TicketClosed', reason: 'expired', farewell: false, waited: false, userId: 7, successor: null, queueId: 5 },
        rule: 'A-EXP-01',
      }))
})

describe('a message of the contact moves the ticket back one lane (A-LANE-01)', () => {
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
  const movedBack = (answers: number) => ({ ...laneEntered(8, 9), why: 'laneBack' as const, rule: 'A-LANE-01', answers })

  it('together with the message, whether the ticket waits or is served', () => {
    given(waiting, laneEntered(9)).when(writes()).then(came, movedBack(2))
    given(waiting, servedBy(7), laneEntered(9)).when(writes()).then(came, movedBack(3))
  })
  it('also if the message continues a closed ticket', () =>
    given(waiting, laneEntered(9), servedBy(7), closed)
      .when(writes({ resumes: { withinMs: 60_000, queueId: 5 } }))
      .then({ type: 'TicketResumed', queueId: 5, rule: 'A-EXP-04' }, came, movedBack(5)))
  it('not from a lane without a lane before it, from no lane, or in a group', () => {
    given(waiting, laneEntered(10)).when(writes()).then(came)
    given(waiting).when(writes()).then(came)
    given(inGroup, laneEntered(9)).when(writes()).then(came)
    given(waiting, laneEntered(9))
      .when(writes({ lanesBack: { 9: 9 } }))
      .then(came)
  })
  it('once for each message, however often the message is reported', () =>
    given(waiting, laneEntered(9), received(1)).when(writes()).nothing())
})

it('on Facebook and Instagram a lane message is allowed for a day (A-LANE-01)', () => {
  const heardAt = later(0)
  const day = 24 * 60
  for (const channel of ['facebook', 'instagram'] as const) {
    expect(reachable({ channel, lastInboundAt: heardAt }, later(day))).toBe(true)
    expect(reachable({ channel, lastInboundAt: heardAt }, later(day + 1))).toBe(false)
    expect(reachable({ channel, lastInboundAt: null }, later(1))).toBe(false)
  }
  expect(reachable({ channel: 'whatsapp', lastInboundAt: null }, later(day + 1))).toBe(true)
})
