import { describe, expect, it } from 'vitest'
import { channelOfProduct, channelOfProvider, linksPhone, loginProductOf, networkName, setupOf } from '#domain/channel/channels.ts'
import { hasPhoneNumbers, networkOf } from '#domain/contact/rules.ts'
import { signed } from '#domain/message/rules.ts'
import { reachable } from '#domain/ticket/lane.ts'

describe('a channel', () => {
  it('is reached on its network, which has one name for customers', () => {
    expect([networkOf('whatsappapi'), networkOf('facebook'), networkOf('unknown')]).toEqual(['whatsapp', 'facebook', 'unknown'])
    expect([networkName('whatsapp'), networkName('whatsappapi'), networkName('instagram')]).toEqual(['WhatsApp', 'WhatsApp', 'Instagram'])
  })
  it('has phone numbers or ids of its own', () =>
    expect(['whatsapp', 'whatsappapi', 'facebook', 'instagram'].map(hasPhoneNumbers)).toEqual([true, true, false, false]))
  it('shows the sender in bold only where customers see bold text', () => {
    expect(signed('Ana', 'whatsappapi', 'oi')).toBe('*Ana:*\noi')
    expect(signed('Ana', 'facebook', 'oi')).toBe('Ana:\noi')
  })
  it('is found by its provider or its product at Meta', () => {
    expect([channelOfProvider('cloud'), channelOfProvider('sandbox')]).toEqual(['whatsappapi', 'whatsapp'])
    expect([channelOfProduct('page'), loginProductOf('facebook'), loginProductOf('whatsappapi')]).toEqual(['facebook', 'page', null])
  })
  it('is set up by a code, by credentials or by a login', () => {
    expect([setupOf('whatsapp'), setupOf('whatsappapi'), setupOf('instagram')]).toEqual(['code', 'credentials', 'login'])
    expect(['beta', 'sandbox', 'cloud', 'unknown'].map(linksPhone)).toEqual([true, false, false, false])
  })
})

it('a lane greeting reaches a page’s customer for a day after their message, and others always', () => {
  const heardAt = '2026-01-05T12:00:00.000Z'
  const [before, after] = ['2026-01-06T12:00:00.000Z', '2026-01-06T12:00:00.001Z']
  for (const channel of ['facebook', 'instagram'] as const) {
    expect([reachable({ channel, lastInboundAt: heardAt }, before), reachable({ channel, lastInboundAt: heardAt }, after)]).toEqual([
      true,
      false,
    ])
    expect(reachable({ channel, lastInboundAt: null }, before)).toBe(false)
  }
  for (const channel of ['whatsapp', 'whatsappapi'] as const) expect(reachable({ channel, lastInboundAt: null }, after)).toBe(true)
})
