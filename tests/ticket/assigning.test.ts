import { describe, it } from 'vitest'
import { closed, given, inGroup, servedBy, waiting } from '#tests/support/story.ts'

const assign = { type: 'Assign' as const, queueId: 5, from: null, userId: 7, why: 'rotation' as const, rule: 'A-ROT-01' }
const assigned = { type: 'TicketAssigned' as const, userId: 7, why: 'rotation' as const, rule: 'A-ROT-01' }
const ended = { type: 'BotEnded' as const, why: 'handedOver' }

describe('automatic assignment of a waiting ticket (A-ROT-01)', () => {
  it('assigns the ticket to the chosen agent and records the rule', () => given(waiting, ended).when(assign).then(assigned))
  it('moves the ticket to the next agent, or back to the waiting list if nobody is available', () => {
    given(waiting, ended, assigned)
      .when({ ...assign, from: 7, userId: 8 })
      .then({ ...assigned, userId: 8 })
    given(waiting, ended, assigned)
      .when({ ...assign, from: 7, userId: null })
      .then({ type: 'TicketReturned', rule: 'A-ROT-01', why: 'unavailable' })
  })
  it('does nothing if the ticket was reassigned, requeued, accepted or closed meanwhile', () => {
    given(waiting, ended, { ...assigned, userId: 8 })
      .when(assign)
      .nothing()
    given(waiting, ended, { type: 'TicketQueued', queueId: 6 }).when(assign).nothing()
    given(waiting, ended, servedBy(8)).when(assign).nothing()
    given(waiting, ended, closed).when(assign).nothing()
    given(waiting, ended, assigned)
      .when({ ...assign, from: 7 })
      .nothing()
  })
  it('does nothing for a group ticket', () => given(inGroup).when(assign).nothing())
})
