import { describe, expect, it } from 'vitest'
import { closed, deleted, given, servedBy, waiting } from '#tests/support/story.ts'

const set = (amount: number | null) => ({ type: 'SetAmount' as const, amount })
const stands = (amount: number | null) => ({ type: 'AmountSet' as const, amount })

describe('what a ticket may be worth (A-TICKET-19)', () => {
  it('is set, changed and taken away, also of what is closed', () => {
    given(waiting).when(set(500)).then(stands(500))
    given(waiting, stands(500)).when(set(0)).then(stands(0))
    given(waiting, stands(500), servedBy(7), closed).when(set(null)).then(stands(null))
  })
  it('is told once', () => {
    given(waiting).when(set(null)).nothing()
    given(waiting, stands(500)).when(set(500)).nothing()
  })
  it('is remembered', () => expect(given(waiting, stands(1234.56)).folded()).toMatchObject({ amount: 1234.56 }))
  it('is none of a ticket that is no longer there', () => given(waiting, deleted).when(set(1)).refused('ERR_NO_TICKET_FOUND'))
})
