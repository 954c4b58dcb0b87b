import { expect, it } from 'vitest'
import { channelNames, channels, isProvider, loginProducts, metaProducts, providerNames } from '#domain/channel/channels.ts'

it('the published names of channels, providers and Meta’s products do not change', () => {
  expect(channelNames).toEqual(['whatsapp', 'whatsappapi', 'facebook', 'instagram'])
  expect(providerNames).toEqual(['sandbox', 'beta', 'cloud', 'graph'])
  expect(metaProducts).toEqual(['whatsapp', 'page', 'instagram'])
  expect(loginProducts).toEqual(['page', 'instagram'])
})

it('the network of each channel is named after one of its channels', () => {
  for (const { network } of Object.values(channels)) expect(Object.hasOwn(channels, network)).toBe(true)
  expect(isProvider('toString')).toBe(false)
})
