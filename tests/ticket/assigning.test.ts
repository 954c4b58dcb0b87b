import { describe, it } from 'vitest'
import { closed, given, inGroup, servedBy, waiting } from '#tests/support/story.ts'

const assign = { type: 'Assign' as const, queueId: 5, from: null, userId: 7, why: 'rotation' as const, rule: 'A-ROT-01' }
const assigned = { type: 'TicketAssigned' as const, userId: 7, why: 'rotation' as const, rule: 'A-ROT-01' }
const ended = { type: 'BotEnded' as const, why: 'handedOver' }

describe('giving out what waits (A-ROT-01)', () => {
  it('gives it to whom the rule chose, and says by which rule', () => given(waiting, ended).when(assign).then(assigned))
  it('moves it on to the next, and lets it wait for whoever comes where there is nobody', () => {
    given(waiting, ended, assigned)
      .when({ ...assign, from: 7, userId: 8 })
      .then({ ...assigned, userId: 8 })
    given(waiting, ended, assigned)
      .when({ ...assign, from: 7, userId: null })
      .then({ type: 'TicketReturned', rule: 'A-ROT-01', why: 'unavailable' })
  })
  it('does nothing where it came late: another has it, it went to another queue, or was closed', () => {
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
  it('takes no group', () => given(inGroup).when(assign).nothing())
})
