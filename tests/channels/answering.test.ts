import { describe, expect, it } from 'vitest'
import { answering } from '#domain/channel/rules.ts'

const wrote = '2026-01-05T12:00:00.000Z'
const hoursLater = (hours: number) => Date.parse(wrote) + hours * 3_600_000
const ticket = (channel: 'whatsapp' | 'whatsappapi' | 'facebook' | 'instagram', heardAt: string | null = wrote) => ({
  ...{ channel, heardAt, isGroup: false },
})

describe('the reply window of a channel', () => {
  it('is a day on the Cloud API; after that only a template is allowed', () => {
    expect(answering(ticket('whatsappapi'), hoursLater(23.9))).toEqual({ is: 'open', until: hoursLater(24) })
    expect(answering(ticket('whatsappapi'), hoursLater(24))).toEqual({ is: 'closed' })
  })
  it.each(['facebook', 'instagram'] as const)('is a day on %s, and a week for agents', (channel) => {
    expect(answering(ticket(channel), hoursLater(23.9))).toMatchObject({ is: 'open' })
    expect(answering(ticket(channel), hoursLater(25))).toEqual({ is: 'person', until: hoursLater(7 * 24) })
    expect(answering(ticket(channel), hoursLater(7 * 24))).toEqual({ is: 'closed' })
  })
  it('is closed if the contact never wrote', () => expect(answering(ticket('facebook', null), hoursLater(0))).toEqual({ is: 'closed' }))
  it('has no end for a number linked by its phone', () =>
    expect(answering(ticket('whatsapp', null), hoursLater(999))).toEqual({ is: 'open', until: null }))
})
