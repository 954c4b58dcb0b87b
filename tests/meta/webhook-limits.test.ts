import { once } from 'node:events'
import { request as ask, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createWebhookPathCache } from '#app/meta/webhook-limits.ts'
import { escaped, signature } from '#tests/support/meta/webhooks.ts'
import { eventually } from '#tests/support/wait.ts'
import { own, startWithMeta, type WithMeta } from './house.ts'

let at: WithMeta
let line: Awaited<ReturnType<WithMeta['cloud']>>
beforeAll(async () => {
  at = await startWithMeta()
  line = await at.cloud()
})
afterAll(async () => at?.stop())

const journal = async () => (await at.house.db.selectFrom('inboundEvent').select('id').execute()).length

describe('the check of webhook addresses', () => {
  it('needs few queries, however many unknown addresses are tried, and finds a new one at once', async () => {
    let looks = 0
    const there = ['one']
    const knows = createWebhookPathCache(async () => {
      looks += 1
      return [...there]
    })
    expect(await knows('one')).toBe(true)
    const tried = await Promise.all(Array.from({ length: 5000 }, (_, i) => knows(`made-up-${i}`)))
    expect(tried.some(Boolean)).toBe(false)
    expect(looks).toBe(2)
    there.push('two')
    expect(await knows('two')).toBe(true)
    expect(looks).toBe(3)
  })
})

describe('a webhook', () => {
  const hook = (more = '') => `/api/webhooks/whatsappapi/${line.row.account.hook}${more}`
  const told = () =>
    escaped({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '9001',
          changes: [
            {
              field: 'messages',
              value: {
                metadata: { phone_number_id: '1001' },
                messages: [
                  {
                    id: `wamid.${crypto.randomUUID()}`,
                    from: '5511900001111',
                    timestamp: '1764000000',
                    type: 'text',
                    text: { body: 'forjada' },
                  },
                ],
              },
            },
          ],
        },
      ],
    })
  const post = (body: Buffer | string, headers: Record<string, string>, path = hook()) =>
    at.house.stranger('POST', path, body, { 'content-type': 'application/json', ...headers })

  it('that is forged or unsigned is refused and leaves nothing', async () => {
    const before = await journal()
    const body = told()
    for (const header of [undefined, 'sha256=00', signature(body, 'another'), signature(Buffer.from('{}'), own.appSecret)]) {
      const answer = await post(body, header === undefined ? {} : { 'x-hub-signature-256': header })
      expect([answer.status, answer.body.error]).toEqual([403, 'ERR_WEBHOOK_SIGNATURE'])
    }
    expect((await post(body, { 'x-hub-signature-256': signature(body, own.appSecret) }, '/api/webhooks/whatsappapi/nowhere')).status).toBe(
      404,
    )
    expect((await post(body, { 'x-hub-signature-256': signature(body, own.appSecret) }, '/api/webhooks/telegram')).status).toBe(404)
    expect(await journal()).toBe(before)
  })
  it('that is malformed or too large is refused with a code', async () => {
    const before = await journal()
    const sign = (body: Buffer) => post(body, { 'x-hub-signature-256': signature(body, own.appSecret) })
    for (const text of ['', '{', 'null', '[]', '{"entry":3}', '{"object":"page"}']) {
      const answer = await sign(Buffer.from(text))
      expect([text, answer.status, answer.body.error]).toEqual([text, 400, 'ERR_INVALID_INPUT'])
    }
    const odd = [
      {},
      { entry: [] },
      { object: 'page', entry: [{ messaging: [{}] }] },
      {
        object: 'whatsapp_business_account',
        entry: [null, 3, { changes: 'no' }, { changes: [{ value: { metadata: null, messages: [[], { id: 5 }] } }] }],
      },
    ]
    for (const one of odd) expect((await sign(escaped({ object: 'whatsapp_business_account', entry: [], ...one }))).status).toBe(200)
    const large = await sign(Buffer.alloc(20 * 1024 * 1024, 32)).catch(() => null) // it hangs up on what it will not take
    if (large) expect([large.status, large.body?.error]).toEqual([413, 'ERR_TOO_LARGE'])
    expect(await journal()).toBe(before)
  })
  it('for an unknown channel is not found, also for names of built-in properties', async () => {
    for (const channel of ['constructor', '__proto__', 'toString'])
      expect((await at.house.stranger('GET', `/api/webhooks/${channel}?hub.mode=subscribe`)).status).toBe(404)
    expect((await post(told(), { 'x-hub-signature-256': signature(told(), own.appSecret) }, '/api/webhooks/constructor')).status).toBe(404)
  })
  it('is recorded completely, except for entries with an invalid id', async () => {
    const before = await journal()
    const says = (id: string, who: object = { from: '5511900000099' }) => ({
      id,
      ...who,
      timestamp: '1700000000',
      type: 'text',
      text: { body: 'ok' },
    })
    const read = (_: unknown, i: number) => ({ id: `wamid.many-${i}`, status: 'read', recipient_id: '5511900000099', timestamp: '1' })
    const value = {
      metadata: { phone_number_id: own.phoneNumberId },
      messages: [says('x'.repeat(3300)), says('wamid.odd', { from_user_id: 'x'.repeat(3000) }), says('wamid.many')],
      statuses: [...Array.from({ length: 9500 }, read), { ...read(null, 0), status: 'constructor' }],
    }
    const body = escaped({ object: 'whatsapp_business_account', entry: [{ id: own.businessId, changes: [{ field: 'messages', value }] }] })
    expect((await post(body, { 'x-hub-signature-256': signature(body, own.appSecret) })).status).toBe(200)
    expect((await journal()) - before).toBe(9501)
    const many = at.house.db.updateTable('inboundEvent').where('externalId', 'like', 'wamid.many-%')
    await many.set({ doneAt: new Date().toISOString() }).execute() // they are of nothing, and would be looked for one by one
  })
  it('for an unknown account is accepted, counted and dropped', async () => {
    const before = await journal()
    const body = escaped({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            {
              field: 'messages',
              value: { metadata: { phone_number_id: '4242' }, messages: [{ id: 'x', from: '5511', type: 'text', text: { body: 'a' } }] },
            },
          ],
        },
      ],
    })
    expect((await post(body, { 'x-hub-signature-256': signature(body, own.appSecret) })).status).toBe(200)
    expect(await journal()).toBe(before)
    expect((await at.house.stranger('GET', '/metrics')).body).toMatch(
      /guiche_webhook_events_total\{channel="whatsappapi",outcome="unknown account"\} [1-9]/,
    )
  })
  it('is verified only with its own token', async () => {
    const prove = (word: string) => at.house.stranger('GET', hook(`?hub.mode=subscribe&hub.verify_token=${word}&hub.challenge=123`))
    expect((await prove(own.verifyToken)).body).toBe('123')
    expect((await prove('outra')).status).toBe(403)
  })
})

describe('unknown callers of webhooks', () => {
  const body = escaped({ object: 'whatsapp_business_account', entry: [] })
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature(body, own.appSecret) }
  const post = (token: string, from: string) =>
    at.house
      .stranger('POST', `/api/webhooks/whatsappapi/${token}`, body, { ...headers, 'x-forwarded-for': from })
      .then(({ status }) => status)

  it('are limited by network for any address, and Meta’s calls are not', async () => {
    const tries = Array.from({ length: 300 }, (_, i) => `made-up-${i}-${crypto.randomUUID()}`)
    const hook = line.row.account.hook as string
    const [flood, meta] = await Promise.all([
      Promise.all(tries.map((token) => post(token, '203.0.113.7'))),
      Promise.all(Array.from({ length: 100 }, () => post(hook, '203.0.113.7'))),
    ])
    expect(new Set(meta)).toEqual(new Set([200]))
    expect(new Set(flood)).toEqual(new Set([404, 429]))
    expect(flood.filter((status) => status === 429).length).toBeGreaterThan(200)
    expect(await post(hook, '203.0.113.7')).toBe(200)
  })
  it('are limited at invented channels too', async () => {
    const tried = Array.from({ length: 100 }, (_, i) =>
      at.house.stranger('POST', `/api/webhooks/made-up-${i}`, body, { ...headers, 'x-forwarded-for': '203.0.114.7' }),
    )
    const codes = (await Promise.all(tried)).map(({ status }) => status)
    expect(new Set(codes)).toEqual(new Set([404, 429]))
    expect(codes.filter((status) => status === 404).length).toBeLessThan(70)
    expect(await post(line.row.account.hook, '203.0.114.7')).toBe(200)
  })
  it('do not limit other networks, and each network has its own limit', async () => {
    const from = Array.from({ length: 150 }, (_, i) => `198.51.${Math.floor(i / 100)}.${i % 100}`)
    const answers = await Promise.all(from.map((ip, i) => post(`anything-${i}`, ip)))
    expect(new Set(answers)).toEqual(new Set([404]))
    const v6 = await Promise.all(Array.from({ length: 90 }, (_, i) => post(`six-${i}`, `2001:db8:1:2::${(i + 1).toString(16)}`)))
    expect(v6).toContain(429) // a network is one, whichever of its addresses is used
    expect(await post(line.row.account.hook, '2001:db8:1:2::ffff')).toBe(200)
  })
  it('find a new webhook at once', async () => {
    at.meta.whatsapp.account('9001', '1002', 'Segunda', '+55 11 4000-1002', own.appSecret)
    const cloud = { ...own, phoneNumberId: '1002', accessToken: line.accessToken }
    const made = await at.admin('POST', '/whatsapp', { name: 'Segunda', channel: 'whatsappapi', provider: 'cloud', queueIds: [], cloud })
    expect(await post(made.body.account.hook, '192.0.2.1')).toBe(200)
    expect((await at.admin('DELETE', `/whatsapp/${made.body.id}`)).status).toBeLessThan(300)
    expect(await post(made.body.account.hook, '192.0.2.1')).toBe(404)
  })
})

describe('a request without its body', () => {
  /** Asks with the head alone. */
  function begin(door: string, from: string, signature = `sha256=${'0'.repeat(64)}`) {
    const headers = { 'content-length': 4 * 1024 * 1024 - 1, 'x-forwarded-for': from, 'x-hub-signature-256': signature }
    const asked = ask(`${at.house.url}/api/webhooks/${door}`, { method: 'POST', agent: false, headers })
    asked.flushHeaders()
    const status = once(asked, 'response').then(([answer]: IncomingMessage[]) => answer!.statusCode)
    asked.on('error', () => undefined)
    status.catch(() => undefined)
    return { status, leave: () => asked.destroy() }
  }

  it('is refused at once for an unknown address or an invalid signature', async () => {
    const tried = [begin('nowhere', '192.0.2.7'), begin('facebook/nowhere', '192.0.2.7'), begin('facebook', '192.0.2.7', 'sha256=00')]
    expect(await Promise.all(tried.map(({ status }) => status))).toEqual([404, 404, 403])
    for (const { leave } of tried) leave()
  })
  it('uses only its network’s share of memory for bodies, and returns it', async () => {
    const body = escaped({ object: 'whatsapp_business_account', entry: [] })
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature(body, own.appSecret) }
    const path = `/api/webhooks/whatsappapi/${line.row.account.hook}`
    const post = async (from: string) => (await at.house.stranger('POST', path, body, { ...headers, 'x-forwarded-for': from })).status
    const slow = Array.from({ length: 5 }, () => begin('facebook', '192.0.2.8'))
    expect(await Promise.any(slow.map(({ status }) => status))).toBe(429)
    expect(await post('192.0.2.8')).toBe(429)
    expect(await post('192.0.2.9')).toBe(200)
    for (const { leave } of slow) leave()
    await eventually(
      () => post('192.0.2.8'),
      (status) => status === 200,
    )
  })
})

it('a webhook that cannot be parsed is recorded as it came, and processed later', async () => {
  const { toWellFormed } = String.prototype
  const asks = vi.spyOn(String.prototype, 'toWellFormed').mockImplementation(function (this: string) {
    if (`${this}` === 'um enigma') throw new TypeError('a riddle')
    return toWellFormed.call(this)
  })
  onTestFinished(() => asks.mockRestore())
  const entry = () =>
    at.house.db.selectFrom('inboundEvent').select(['failures', 'payload', 'refused']).where('externalId', 'like', 'unread:%')
  const eva = at.meta.whatsapp.person('Eva Enigma', '5511981009911')
  at.meta.whatsapp.text(own.phoneNumberId, eva, 'um enigma')
  await eventually(
    () => entry().executeTakeFirst(),
    (row) => (row?.failures ?? 0) > 0,
  )
  asks.mockRestore()
  const { messages } = await at.shows('Eva Enigma', ({ length }) => length === 1)
  expect(messages).toMatchObject([{ body: 'um enigma' }])
  await at.house.settled()
  expect(await entry().execute()).toMatchObject([{ payload: null, refused: null }])
})

describe('the quality of a number of the Cloud API', () => {
  const quality = async (id = line.id) => (await at.admin('GET', `/whatsapp/${id}/quality`)).body.quality

  it('is shown as it is now', async () =>
    expect(await quality()).toEqual({ rating: 'high', limit: 1000, unlimited: false, blockedUntil: null }))
  it('is empty if Meta does not answer, and for other connections', async () => {
    at.meta.world.faults.push({ on: '1001', code: 2, status: 500, times: 5 })
    expect(await quality()).toBeNull()
    expect(await quality(at.house.company.connections.loja)).toBeNull()
  })
})
