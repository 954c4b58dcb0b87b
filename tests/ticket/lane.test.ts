import { describe, expect, it } from 'vitest'
import { closed, deleted, given, later, servedBy, waiting } from '#tests/kit/story.ts'

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
