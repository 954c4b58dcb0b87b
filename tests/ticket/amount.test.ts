import { describe, expect, it } from 'vitest'
import { closed, deleted, given, servedBy, waiting } from '#tests/support/story.ts'

const set = (amount: number | null) => ({ type: 'SetAmount' as const, amount })
const amountSet = (amount: number | null) => ({ type: 'AmountSet' as const, amount })

describe('the amount of a ticket (A-TICKET-19)', () => {
  it('can be set, changed and removed, also on a closed ticket', () => {
    given(waiting).when(set(500)).then(amountSet(500))
    given(waiting, amountSet(500)).when(set(0)).then(amountSet(0))
    given(waiting, amountSet(500), servedBy(7), closed).when(set(null)).then(amountSet(null))
  })
  it('is recorded only when it changes', () => {
    given(waiting).when(set(null)).nothing()
    given(waiting, amountSet(500)).when(set(500)).nothing()
  })
  it('is kept in the state', () => expect(given(waiting, amountSet(1234.56)).folded()).toMatchObject({ amount: 1234.56 }))
  it('is refused for a deleted ticket', () => given(waiting, deleted).when(set(1)).refused('ERR_NO_TICKET_FOUND'))
})
