import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { channelNames, channels, isProvider, loginProducts, metaProducts, providerNames } from '#domain/channel/channels.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Files that may name a single channel: the registry, Meta's own words, and the icons. */
const allowed = ['app/meta/pages.ts', 'app/meta/products.ts', 'domain/channel/channels.ts', 'web/ticket/Channel.tsx']
const mostAllowed = 8
const names = /instagram|'(whatsappapi|facebook)'/
const advice =
  'A product file names a single channel. Ask its descriptor in domain/channel/channels.ts (`channels[channel]`) instead, with a new field if none fits; words of Meta’s API belong to app/meta/products.ts.'

const product = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'app', 'domain', 'projections', 'web'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/(^|[/-])words\.ts$/.test(file) && existsSync(path.join(root, file)))
const filesWith = (pattern: RegExp) => product.filter((file) => pattern.test(readFileSync(path.join(root, file), 'utf8'))).toSorted()

it('only the registry, the icons and the adapters name a single channel', () => {
  expect(filesWith(names), advice).toEqual(allowed)
  expect(allowed.length).toBeLessThanOrEqual(mostAllowed)
})

it('only the channel folders compare a channel, a provider or a product with a name', () => {
  const name = "'(whatsapp|whatsappapi|facebook|instagram|page|cloud|graph|beta|sandbox)'"
  const compares = new RegExp(`\\b(channel|provider|product)\\b('\\s*,\\s*'(=|!=|in)'\\s*,|\\s*[!=]==?|\\s+in\\b)\\s*[([]?\\s*${name}`)
  expect("row.provider === 'cloud' || x.where('channel', 'in', ['whatsapp'])").toMatch(compares)
  expect(
    filesWith(compares).filter((file) => !/^(app\/(meta|whatsapp|sandbox)|domain\/channel)\//.test(file)),
    advice,
  ).toEqual([])
})

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
