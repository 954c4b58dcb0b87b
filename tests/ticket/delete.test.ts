import { describe, expect, it } from 'vitest'
import { closed, deleted, given, servedBy, waiting } from '#tests/support/story.ts'

const remove = { type: 'Delete' as const }

describe('deleting a ticket (A-TICKET-12)', () => {
  it('works in every status', () => {
    given(waiting).when(remove).then({ type: 'TicketDeleted' })
    given(waiting, servedBy(8)).when(remove).then({ type: 'TicketDeleted' })
    given(waiting, closed).when(remove).then({ type: 'TicketDeleted' })
  })
  it('does nothing the second time', () => given(waiting, deleted).when(remove).nothing())
  it('is refused for a ticket that never existed', () => given().when(remove).refused('ERR_NO_TICKET_FOUND'))
  it('is not reverted by later events', () =>
    expect(given(waiting, deleted, servedBy(7), { type: 'TicketReturned' }).folded()).toEqual({ status: 'deleted' }))
})

describe('switching the integration (R-TICKET-26)', () => {
  it('records the switch', () =>
    given(waiting).when({ type: 'SwitchIntegration', on: true }).then({ type: 'IntegrationSwitched', on: true }))
  it('is refused for a deleted ticket', () =>
    given(waiting, deleted).when({ type: 'SwitchIntegration', on: true }).refused('ERR_NO_TICKET_FOUND'))
})
