import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultOf } from '#app/meta/faults.ts'
import { createGraphClient, GraphApiError } from '#app/meta/graph.ts'
import { splitText } from '#app/meta/message-parts.ts'
import { parseCloudChange } from '#app/meta/parse-cloud-change.ts'
import { signed } from '#app/meta/webhooks.ts'
import { type Meta, startMeta } from '#tests/support/meta/double.ts'
import { escaped, signature } from '#tests/support/meta/webhooks.ts'
import { appSecret } from '#tests/support/meta/world.ts'

let meta: Meta
let token: string
beforeAll(async () => {
  meta = await startMeta()
  token = meta.whatsapp.account('9001', '1001', 'Loja', '+55 11 4000-1000')
})
afterAll(() => meta.stop())

const client = (now?: () => number) => createGraphClient({ url: meta.url, version: 'v25.0', ...(now && { now }) })
const ask = (graph = client(), access = { token, appSecret }) =>
  graph.call('GET', '1001', access).then(
    (found) => found,
    (error: unknown) => error as GraphApiError,
  )

describe('the meaning of an error', () => {
  it.each([
    [10, 2018278, 'never', 'ERR_WINDOW_CLOSED'],
    [10, 2534022, 'never', 'ERR_WINDOW_CLOSED'],
    [131047, undefined, 'never', 'ERR_WINDOW_CLOSED'],
    [100, 2018001, 'never', 'ERR_CONTACT_UNREACHABLE'],
    [551, undefined, 'never', 'ERR_CONTACT_UNREACHABLE'],
    [131026, undefined, 'never', 'ERR_CONTACT_UNREACHABLE'],
    [10, 2018300, 'never', 'ERR_CHANNEL_ELSEWHERE'],
    [131049, undefined, 'never', 'ERR_CONTACT_UNREACHABLE'],
    [190, undefined, 'dead', 'ERR_CHANNEL_TOKEN'],
    [190, 460, 'dead', 'ERR_CHANNEL_TOKEN'],
    [190, 463, 'dead', 'ERR_CHANNEL_TOKEN'],
    [200, undefined, 'never', 'ERR_CHANNEL_FORBIDDEN'],
    [10, undefined, 'never', 'ERR_CHANNEL_FORBIDDEN'],
    [10, 1893063, 'never', 'ERR_CHANNEL_FORBIDDEN'],
    [133010, undefined, 'dead', 'ERR_CHANNEL_UNREGISTERED'],
    [4, undefined, 'later', 'ERR_CHANNEL_LIMITED'],
    [17, undefined, 'later', 'ERR_CHANNEL_LIMITED'],
    [32, undefined, 'later', 'ERR_CHANNEL_LIMITED'],
    [613, undefined, 'later', 'ERR_CHANNEL_LIMITED'],
    [80007, undefined, 'later', 'ERR_CHANNEL_LIMITED'],
    [130429, undefined, 'later', 'ERR_CHANNEL_LIMITED'],
    [131056, undefined, 'later', 'ERR_CHANNEL_LIMITED'],
    [1, undefined, 'unknown', 'ERR_SENDING_WAPP_MSG'],
    [2, undefined, 'unknown', 'ERR_SENDING_WAPP_MSG'],
    [132000, undefined, 'never', 'ERR_TEMPLATE_FIELDS'],
    [132001, undefined, 'never', 'ERR_TEMPLATE_GONE'],
    [132005, undefined, 'never', 'ERR_TEMPLATE_FIELDS'],
    [132007, undefined, 'never', 'ERR_TEMPLATE_REFUSED'],
    [132012, undefined, 'never', 'ERR_TEMPLATE_FIELDS'],
    [132015, undefined, 'never', 'ERR_TEMPLATE_PAUSED'],
    [132016, undefined, 'never', 'ERR_TEMPLATE_PAUSED'],
    [131051, undefined, 'never', 'ERR_UNSUPPORTED_MEDIA'],
    [100, undefined, 'never', 'ERR_SENDING_WAPP_MSG'],
  ] as const)('%i/%s', (code, subcode, outcome, says) => expect(faultOf(code, subcode)).toMatchObject({ outcome, code: says }))

  it('is unknown for a server error with an unknown code', () => expect(faultOf(99_999, undefined, 503).outcome).toBe('unknown'))
})

describe('the Graph client', () => {
  it('proves the token with the app secret, and shows neither in addresses or errors', async () => {
    expect(await ask()).toMatchObject({ id: '1001', verified_name: 'Loja' })
    const call = meta.world.calls.at(-1)!
    expect(call.query.appsecret_proof).toMatch(/^[\da-f]{64}$/)
    expect(call.query.access_token).toBeUndefined()
    const fault = await ask(client(), { token, appSecret: 'another' })
    expect(fault).toBeInstanceOf(GraphApiError)
    expect(JSON.stringify({ ...fault, message: fault.message })).not.toContain(token)
  })
  it('pauses as long as the account’s limit says, without calls', async () => {
    let now = 1_000_000
    const graph = client(() => now)
    const usage = JSON.stringify({ 1001: [{ call_count: 100, estimated_time_to_regain_access: 3 }] })
    meta.world.faults.push({ on: '1001', code: 80007, headers: { 'x-business-use-case-usage': usage } })
    expect(await ask(graph)).toMatchObject({ outcome: 'later', code: 'ERR_CHANNEL_LIMITED' })
    const asked = meta.world.calls.length
    now += 60_000
    expect(await ask(graph)).toMatchObject({ outcome: 'later', afterMs: 120_000 })
    expect(meta.world.calls).toHaveLength(asked)
    now += 120_001
    expect(await ask(graph)).toMatchObject({ id: '1001' })
  })
  it('pauses for an app that has used nearly all its calls, and not for other apps', async () => {
    let now = 1_000_000
    const graph = client(() => now)
    const sameApp = { token: meta.world.grant('9001', []), appSecret }
    const otherApp = { token: meta.world.grant('9001', [], null, 'theirs'), appSecret: 'theirs' }
    meta.world.faults.push({ on: '1001', headers: { 'x-app-usage': JSON.stringify({ call_count: 97, total_time: 4 }) } })
    expect(await ask(graph)).toMatchObject({ id: '1001' })
    for (const access of [undefined, sameApp]) expect(await ask(graph, access)).toMatchObject({ outcome: 'later', afterMs: 60_000 })
    expect(await graph.call('GET', '1001', { token, appSecret }, { goesOn: true })).toMatchObject({ id: '1001' }) // what has begun continues
    expect(await ask(graph, otherApp)).toMatchObject({ id: '1001' })
    now += 60_001
    expect(await ask(graph)).toMatchObject({ id: '1001' })
  })
  it('reports an unknown outcome if an answer is lost, and a retry if nothing was sent', async () => {
    meta.world.faults.push({ on: '1001', lost: 'answer' })
    expect(await ask()).toMatchObject({ outcome: 'unknown' })
    const gone = await startMeta()
    await gone.stop()
    expect(await ask(createGraphClient({ url: gone.url, version: 'v25.0' }))).toMatchObject({ outcome: 'later', code: 'ERR_CHANNEL_AWAY' })
  })
  it('recognises an expired or withdrawn token', async () => {
    const short = meta.world.grant('9001', [], 1000)
    meta.world.advance(2000)
    expect(await ask(client(), { token: short, appSecret })).toMatchObject({ outcome: 'dead', code: 'ERR_CHANNEL_TOKEN' })
  })
})

it('a failed part of a split message means that it was sent in part', () => {
  const told = (status: string, more: object = {}) =>
    parseCloudChange({ statuses: [{ id: 'wamid.2', status, recipient_id: '5511', biz_opaque_callback_data: 'own:1', ...more }] }, '')
  expect(['sent', 'delivered', 'read'].flatMap((status) => told(status))).toEqual([])
  expect(told('failed', { errors: [{ code: 131026 }] })).toMatchObject([
    { payload: { type: 'failed', externalIds: ['own'], code: 'ERR_SENT_IN_PART' } },
  ])
})

describe('a webhook signature', () => {
  const body = escaped({ text: 'Olá 👋' })
  it('covers the bytes as sent, with escaped non-ASCII characters', () => {
    expect(body.toString()).toContain('Ol\\u00e1 \\ud83d\\udc4b')
    expect(signed(body, 'secret', signature(body, 'secret'))).toBe(true)
    expect(signed(Buffer.from(JSON.stringify(JSON.parse(body.toString()))), 'secret', signature(body, 'secret'))).toBe(false)
  })
  it('is invalid if it is missing, made with another secret or written in another form', () => {
    for (const header of [undefined, '', 'sha256=', signature(body, 'other'), signature(body, 'secret').toUpperCase(), ['a', 'b']])
      expect(signed(body, 'secret', header)).toBe(false)
  })
})

describe('a long text for WhatsApp, Messenger and Instagram', () => {
  it('is split at blanks into as few parts as possible, without losing a word', () => {
    const words = Array.from({ length: 900 }, (_, i) => `palavra${i}`).join(' ')
    for (const [product, most] of [
      ['page', 2000],
      ['whatsapp', 4096],
    ] as const) {
      const cut = splitText(words, product)
      expect(cut.every((piece) => piece.length <= most)).toBe(true)
      expect(cut).toHaveLength(Math.ceil(words.length / most))
      expect(cut.join(' ')).toBe(words)
    }
  })
  it('is measured in bytes on Instagram, and not cut inside a character', () => {
    const cut = splitText('😀'.repeat(600), 'instagram')
    expect(cut.every((piece) => Buffer.byteLength(piece) <= 1000 && piece.isWellFormed())).toBe(true)
    expect(cut.join('')).toBe('😀'.repeat(600))
  })
  it('is not cut inside an emoji of several characters, unless that alone is too long', () => {
    const family = '👨‍👩‍👧‍👦'
    const cut = splitText(family.repeat(400), 'page')
    expect(cut.map((piece) => piece.replaceAll(family, ''))).toEqual(['', '', ''])
    expect(cut.join('')).toBe(family.repeat(400))
    expect(splitText(`${'x'.repeat(4096 - family.length)}${family}`, 'whatsapp')).toHaveLength(1)
    const endless = `e${'\u0301'.repeat(3000)}`
    expect(splitText(endless, 'page').join('')).toBe(endless)
  })
  it('has no parts if it is blank', () => expect(splitText(' \n ', 'page')).toEqual([]))
})
