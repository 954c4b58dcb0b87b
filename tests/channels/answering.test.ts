import { describe, expect, it } from 'vitest'
import { answering } from '#domain/channel/rules.ts'

const wrote = '2026-01-05T12:00:00.000Z'
const past = (hours: number) => Date.parse(wrote) + hours * 3_600_000
const ticket = (channel: 'whatsapp' | 'whatsappapi' | 'facebook' | 'instagram', heardAt: string | null = wrote) => ({
  ...{ channel, heardAt, isGroup: false },
})

describe('how long a channel takes answers', () => {
  it('is a day on the Cloud API, and behind it only a template goes', () => {
    expect(answering(ticket('whatsappapi'), past(23.9))).toEqual({ is: 'open', until: past(24) })
    expect(answering(ticket('whatsappapi'), past(24))).toEqual({ is: 'closed' })
  })
  it.each(['facebook', 'instagram'] as const)('is a day on %s, and a week for people', (channel) => {
    expect(answering(ticket(channel), past(23.9))).toMatchObject({ is: 'open' })
    expect(answering(ticket(channel), past(25))).toEqual({ is: 'person', until: past(7 * 24) })
    expect(answering(ticket(channel), past(7 * 24))).toEqual({ is: 'closed' })
  })
  it('has not begun where the contact never wrote', () => expect(answering(ticket('facebook', null), past(0))).toEqual({ is: 'closed' }))
  it('has no end with a number that is linked by its phone', () =>
    expect(answering(ticket('whatsapp', null), past(999))).toEqual({ is: 'open', until: null }))
})
