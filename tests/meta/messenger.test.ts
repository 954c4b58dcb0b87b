import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setConnectionState } from '#app/connection/state.ts'
import { appSecret } from '#tests/support/meta/world.ts'
import { eventually } from '#tests/support/wait.ts'
import { startWithMeta, verifyToken, type WithMeta } from './house.ts'

let at: WithMeta
let ids: { page: number; instagram: number }
beforeAll(async () => {
  at = await startWithMeta()
  at.meta.page.account('2001', 'Loja na página')
  at.meta.instagram.account('3001', 'loja.insta', '2001')
  for (const [object, channel] of [
    ['page', 'facebook'],
    ['instagram', 'instagram'],
  ] as const)
    expect(await at.meta.hooks.subscribe({ object, url: `${at.house.url}/api/webhooks/${channel}`, secret: appSecret, verifyToken })).toBe(
      true,
    )
  const login = { facebookUserId: '1700', facebookUserToken: ` ${at.meta.world.grant('user', [])} `, addInstagram: true }
  expect((await at.admin('POST', '/facebook', login)).body).toEqual({ created: 2, renewed: 0, taken: [], left: [] })
  const rows = (await at.admin('GET', '/whatsapp')).body as { id: number; channel: string }[]
  const of = (channel: string) => rows.find((row) => row.channel === channel)!.id
  ids = { page: of('facebook'), instagram: of('instagram') }
})
afterAll(async () => at?.stop())

const picture = (color: string) =>
  sharp({ create: { width: 4, height: 3, channels: 3, background: color } })
    .png()
    .toBuffer()
const send = async (ticketId: number, body: object | FormData) =>
  expect((await at.admin('POST', `/messages/${ticketId}`, body)).status).toBeLessThan(300)
const open = async (ticketId: number) =>
  expect((await at.admin('PUT', `/tickets/${ticketId}`, { status: 'open', queueId: at.house.company.queues.vendas })).status).toBe(200)

describe('connecting pages by a login', () => {
  it('makes one connection for each page and Instagram account, with a long-lived token', async () => {
    const again = { facebookUserToken: at.meta.world.grant('user', []), addInstagram: true }
    expect((await at.admin('POST', '/facebook', again)).body).toEqual({ created: 0, renewed: 2, taken: [], left: [] })
    const { body } = await at.admin('GET', `/whatsapp/${ids.instagram}`)
    expect(body).toMatchObject({
      status: 'CONNECTED',
      provider: 'graph',
      account: { product: 'instagram', accountId: '3001', businessId: '2001' },
    })
    expect(Date.parse(body.account.tokenExpiresAt) - Date.now()).toBeGreaterThan(50 * 24 * at.hour)
  })
  it('reports an unknown login', async () => {
    const answer = await at.admin('POST', '/facebook', { facebookUserToken: 'EAAmade-up' })
    expect([answer.status, answer.body.error]).toEqual([400, 'ERR_CHANNEL_TOKEN'])
  })
})

describe.each(['page', 'instagram'] as const)('a customer of the %s', (product) => {
  const account = { page: '2001', instagram: '3001' }[product]
  const side = () => at.meta[product]

  it('has a name, and messages, edits and removals are shown', async () => {
    const name = `Nina ${product}`
    const nina = side().person(name)
    const first = side().text(account, nina, 'oi')
    const { id } = await at.shows(name, (all) => all.length === 1)
    side().attachment(account, nina, 'image', at.meta.media.open(await picture('red'), 'image/png'))
    await at.shows(name, (all) => all.length === 2)
    side().text(account, nina, 'sobre o oi', { reply_to: { mid: first } })
    side().event(account, nina, { message_edit: { mid: first, text: 'oi, bom dia', num_edit: 1 } })
    side().event(account, nina, { reaction: { mid: first, action: 'react', reaction: 'love', emoji: '❤' } })
    const { messages } = await at.shows(name, (all) => all.length === 3 && all[0].isEdited && all[0].reactions.length === 1)
    expect(messages[0].body).toBe('oi, bom dia')
    expect(messages[1].media).toMatchObject({ mime: 'image/png', width: 4 })
    await eventually(
      () => at.house.db.selectFrom('uploadReservation').select('id').execute(), // a fact names its file
      ({ length }) => length === 0,
    )
    expect(messages[2].quotedMsg).toMatchObject({ id: messages[0].id })
    side().event(account, nina, { message: { mid: first, is_deleted: true } })
    await at.shows(name, (all) => all[0].isDeleted)
    side().standby(account, nina, 'para outro app')
    await at.shows(name, (all) => all.at(-1).body === 'para outro app')
    expect(id).toBeGreaterThan(0)
  })

  it('has the picture of the network, stored locally', async () => {
    const name = `Rosa ${product}`
    const rosa = side().person(name, { picture: at.meta.media.open(await picture('purple'), 'image/png') })
    side().text(account, rosa, 'oi')
    const asked = encodeURIComponent(name)
    const contact = async () => (await at.admin('GET', `/contacts?searchParam=${asked}`)).body.contacts[0]
    const { urlPicture } = await eventually(contact, (one) => one?.urlPicture)
    const shown = await fetch(at.house.url + urlPicture)
    expect((await sharp(await shown.arrayBuffer()).metadata()).width).toBe(4)
    const { tickets } = (await at.admin('GET', `/tickets?status=search&searchParam=${asked}`)).body
    expect(tickets.map(({ contact }: any) => contact.urlPicture)).toEqual([urlPicture])
  })

  it('gets an answer once, although its echo and receipt come first', async () => {
    const name = `Otto ${product}`
    const otto = side().person(name)
    side().text(account, otto, 'tem?')
    const { id } = await at.shows(name, (all) => all.length === 1)
    await open(id)
    await at.house.settled()
    const got = () => at.meta.world.reached(otto.id).filter(({ body }) => body === 'tem sim')
    const ack = (all: any[]) => all.find(({ body }) => body === 'tem sim')?.ack
    const overtaken: number[] = []
    at.meta.world.echoesFirst = async () => {
      overtaken.push(ack((await at.shows(name, (all) => ack(all) >= 1)).messages))
      side().reads(account, otto, got()[0]!.id)
      overtaken.push(ack((await at.shows(name, (all) => ack(all) >= 3)).messages))
    }
    await send(id, { body: 'tem sim' })
    await eventually(
      async () => overtaken.length,
      (n) => n === 2,
    )
    at.meta.world.echoesFirst = null
    await at.house.settled()
    const { messages } = await at.thread(name)
    expect(messages.find(({ body }) => body === 'tem sim')).toMatchObject({ ack: overtaken[1], uncertain: false, failed: null })
    expect(messages.filter(({ body }) => body === 'tem sim')).toHaveLength(1)
    side().byHand(account, otto, 'escrito à mão')
    const { messages: both } = await at.shows(name, (all) => all.some(({ body }) => body === 'escrito à mão'))
    expect(both.filter(({ body }) => body === 'escrito à mão')).toMatchObject([{ fromMe: true }])
    expect(got()).toHaveLength(1)
  })

  it('gets files with their text after them, and no part twice', async () => {
    const name = `Fabio ${product}`
    const fabio = side().person(name)
    side().text(account, fabio, 'manda a foto?')
    const { id } = await at.shows(name, (all) => all.length === 1)
    await open(id)
    await at.house.settled()
    const form = new FormData()
    form.set('body', 'aqui está')
    form.set('medias', new File([new Uint8Array(await picture('blue'))], 'azul.png', { type: 'image/png' }))
    await send(id, form)
    const got = () => at.meta.world.reached(fabio.id).filter(({ type, body }) => type !== 'text' || body === 'aqui está')
    await eventually(
      async () => got(),
      (all) => all.length === 2,
    )
    expect(got().map(({ type, body }) => [type, body])).toEqual([
      ['image', ''],
      ['text', 'aqui está'],
    ])
    expect((await sharp(got()[0]!.content.bytes).metadata()).width).toBe(4)
    await at.meta.hooks.quiet()
    await at.house.settled()
    const { messages } = await at.thread(name)
    expect(messages.filter(({ fromMe, body }) => fromMe && body === 'aqui está')).toMatchObject([{ mediaType: 'image', failed: null }])
    expect(messages.filter(({ fromMe, elsewhere }) => fromMe && elsewhere)).toEqual([])
    side().byHand(account, fabio, 'aqui está') // the same words once more, by hand
    await at.shows(name, (all) => all.some(({ body, elsewhere }) => body === 'aqui está' && elsewhere))
    const long = Array.from({ length: 300 }, (_, i) => `palavra${i}`).join(' ')
    await send(id, { body: long })
    await eventually(
      async () => at.meta.world.reached(fabio.id).filter(({ body }) => body.includes('palavra')),
      (all) => all.length === (product === 'page' ? 2 : 4),
    )
    await at.meta.hooks.quiet()
    await at.house.settled()
    expect((await at.thread(name)).messages.filter(({ body }) => body.includes('palavra'))).toHaveLength(1)
    side().reads(account, fabio, at.meta.world.reached(fabio.id).at(-1)!.id) // Instagram names the newest alone, which is its last part
    await at.shows(name, (all) => all.find(({ body }) => body.includes('palavra')).ack >= 3)
  })

  it('can be answered by an agent for a week, marked as such after a day', async () => {
    const name = `Vera ${product}`
    const vera = side().person(name)
    side().text(account, vera, 'alguém?')
    const { id } = await at.shows(name, (all) => all.length === 1)
    await open(id)
    await at.house.settled()
    const since = (hours: number) => at.meta.world.heard.set(`${account}/${vera.id}`, Date.now() - hours * at.hour)
    since(30)
    await send(id, { body: 'desculpe a demora' })
    await eventually(
      async () => at.meta.world.reached(vera.id),
      (all) => all.some(({ tag }) => tag === 'HUMAN_AGENT'),
    )
    since(8 * 24)
    await send(id, { body: 'tarde demais' })
    await at.shows(name, (all) => all.find(({ body }) => body === 'tarde demais')?.failed === 'ERR_WINDOW_CLOSED')
    expect(at.meta.world.reached(vera.id).some(({ body }) => body === 'tarde demais')).toBe(false)
  })
})

describe('an untrusted address', () => {
  it('of a private network is not fetched, nor after a redirect', async () => {
    const eva = at.meta.page.person('Eva Privada')
    let touched = 0
    const { createServer } = await import('node:http')
    const inside = createServer((_, answer) => {
      touched += 1
      answer.end('secret')
    })
    await new Promise<void>((ready) => inside.listen(0, '127.0.0.1', ready))
    const { port } = inside.address() as { port: number }
    const jump = createServer((_, answer) => answer.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end())
    await new Promise<void>((ready) => jump.listen(0, '127.0.0.1', ready))
    const hop = (jump.address() as { port: number }).port
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://127.0.0.1:${hop}/`,
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
    ])
      at.meta.page.attachment('2001', eva, 'file', url)
    const { messages } = await at.shows('Eva Privada', (all) => all.length === 6)
    expect(messages.every(({ media }) => media === null)).toBe(true)
    expect(touched).toBe(0)
    inside.close()
    jump.close()
  })
})

it('every call proves its token with the secret of the platform’s app', () => {
  const asked = at.meta.world.calls.filter(({ token }) => token !== null)
  expect(asked.some(({ path }) => path.endsWith('/messages')) && asked.some(({ path }) => path.endsWith('/message_attachments'))).toBe(true)
  expect(asked.filter(({ query }) => query.appsecret_proof === undefined)).toEqual([])
})

it('a session that cannot start is retried', async () => {
  await at.admin('DELETE', `/whatsappsession/${ids.page}`)
  at.meta.world.faults.push({ on: '2001', method: 'GET', lost: 'all', times: 2 })
  await at.admin('POST', `/whatsappsession/${ids.page}`)
  const row = async () => (await at.admin('GET', `/whatsapp/${ids.page}`)).body
  await eventually(row, ({ reason }) => reason === 'AWAY')
  await eventually(row, ({ status }) => status === 'CONNECTED')
})

it('a session refused for good is not retried, and an ended one stays ended', async () => {
  const row = async () => (await at.admin('GET', `/whatsapp/${ids.page}`)).body
  const session = (method: 'POST' | 'DELETE') => at.admin(method, `/whatsappsession/${ids.page}`)
  await session('DELETE')
  at.meta.world.faults.push({ on: '2001', method: 'GET', code: 100, subcode: 33 })
  await session('POST')
  await eventually(row, ({ status, reason }) => status === 'DISCONNECTED' && reason === 'GONE')
  await session('DELETE')
  await setConnectionState(at.house.ctx, { id: ids.page }, { status: 'CONNECTED' }, { status: 'OPENING', reason: null })
  expect(await row()).toMatchObject({ status: 'DISCONNECTED', reason: null })
  await session('POST')
  await eventually(row, ({ status }) => status === 'CONNECTED')
})

it('an invalid token ends the session, inbound messages are shown, and outbound ones wait', async () => {
  const lara = at.meta.page.person('Lara Semtoken')
  at.meta.page.text('2001', lara, 'oi')
  const { id } = await at.shows('Lara Semtoken', (all) => all.length === 1)
  await open(id)
  await at.house.settled()
  const account = await at.house.ctx.meta.of(at.house.db, ids.page)
  at.meta.world.tokens.get(account!.token)!.dead = 460
  await send(id, { body: 'espere por mim' })
  const status = async () => (await at.admin('GET', `/whatsapp/${ids.page}`)).body.status
  await eventually(status, (now) => now === 'DISCONNECTED')
  at.meta.page.text('2001', lara, 'ainda aí?')
  await at.shows('Lara Semtoken', (all) => all.some(({ body }) => body === 'ainda aí?'))
  await at.admin('POST', '/facebook', { facebookUserToken: at.meta.world.grant('user', []) })
  expect(await status()).toBe('CONNECTED')
  const got = async () => at.meta.world.reached(lara.id).map(({ body }) => body)
  await eventually(got, (all) => all.includes('espere por mim'))
})
