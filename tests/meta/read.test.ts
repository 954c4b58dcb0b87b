import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '#tests/support/wait.ts'
import { startAtAll, type WithMeta } from './house.ts'

let at: WithMeta
beforeAll(async () => {
  at = await startAtAll()
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

describe.each(['page', 'instagram'] as const)('a customer of the %s', (product) => {
  const account = { page: '2001', instagram: '3001' }[product]
  const side = () => at.meta[product]

  it('has read the messages sent before the receipt, and no file sent after it', async () => {
    const name = `Lena ${product}`
    const lena = side().person(name)
    side().text(account, lena, 'tem foto?')
    const { id } = await at.shows(name, (all) => all.length === 1)
    await open(id)
    await send(id, { body: 'um momento' })
    const got = () => at.meta.world.reached(lena.id)
    await eventually(
      async () => got(),
      (all) => all.some(({ body }) => body === 'um momento'),
    )
    await at.house.settled()
    at.meta.world.faults.push({ on: '/message_attachments', method: 'POST', delayMs: 100 })
    const form = new FormData()
    form.set('medias', new File([new Uint8Array(await picture('white'))], 'branca.png', { type: 'image/png' }))
    await send(id, form)
    await at.shows(name, (all) => all.at(-1).mediaType === 'image' && all.at(-1).ack >= 1)
    const asked = at.house.db.selectFrom('outbox').select('createdAt').where('ticketId', '=', id).orderBy('n', 'desc')
    const watermark = Date.parse((await asked.executeTakeFirstOrThrow()).createdAt) - 999 // one second of tolerance
    if (product === 'page') side().event(account, lena, { read: { watermark } })
    else side().reads(account, lena, got().find(({ body }) => body === 'um momento')!.id)
    const { messages } = await at.shows(name, (all) => all.find(({ body }) => body === 'um momento')?.ack >= 3)
    expect(messages.at(-1).ack).toBeLessThan(3)
  })

  it('has read all messages before the last read one, except for uncertain ones', async () => {
    const name = `Tina ${product}`
    const tina = side().person(name)
    side().text(account, tina, 'e o pedido?')
    const { id } = await at.shows(name, (all) => all.length === 1)
    await open(id)
    await at.house.settled()
    const arrives = (body: string) =>
      eventually(
        async () => at.meta.world.reached(tina.id).find((one) => one.body === body),
        (one) => one !== undefined,
      )
    await send(id, { body: 'um' })
    await arrives('um')
    at.meta.world.faults.push({ on: '2001/messages', method: 'POST', lost: 'all' })
    await send(id, { body: 'sumiu' })
    await at.shows(name, (all) => all.at(-1).uncertain)
    for (const body of ['dois', 'três']) {
      await send(id, { body })
      await arrives(body)
    }
    await at.house.settled()
    const { body, id: mid } = (await arrives('três'))!
    side().reads(account, tina, mid)
    const acks = (all: any[]) => all.filter(({ fromMe }) => fromMe).map((one) => [one.body, one.ack >= 3])
    const { messages } = await at.shows(name, (all) => all.find((one) => one.body === body)?.ack >= 3)
    expect(acks(messages)).toEqual([
      ['um', true],
      ['sumiu', false],
      ['dois', true],
      ['três', true],
    ])
    expect(messages.find((one) => one.body === 'sumiu').uncertain).toBe(true)
  })
})

it('an Instagram contact who reads the page’s own messages has read earlier ones too', async () => {
  const gina = at.meta.instagram.person('Gina de Lá')
  at.meta.instagram.text('3001', gina, 'oi')
  const { id } = await at.shows('Gina de Lá', (all) => all.length === 1)
  await open(id)
  await send(id, { body: 'daqui' })
  await at.shows('Gina de Lá', (all) => all.at(-1)?.body === 'daqui' && all.at(-1).ack >= 1)
  const mid = at.meta.instagram.byHand('3001', gina, 'de lá')
  await at.shows('Gina de Lá', (all) => all.at(-1)?.body === 'de lá')
  at.meta.instagram.reads('3001', gina, mid)
  await at.shows('Gina de Lá', (all) => all.slice(1).every(({ ack }) => ack >= 3))
})
