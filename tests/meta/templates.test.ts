import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '#tests/support/wait.ts'
import { own, startWithMeta, type WithMeta } from './house.ts'

let at: WithMeta
let line: Awaited<ReturnType<WithMeta['cloud']>>
let ticketId: number
let ida: ReturnType<WithMeta['meta']['whatsapp']['person']>
const { phoneNumberId: account, businessId } = own
beforeAll(async () => {
  at = await startWithMeta()
  line = await at.cloud()
  const { template } = at.meta.whatsapp
  template(businessId, 'volta', 'Olá {{1}}, podemos continuar? Pedido {{2}}.')
  template(businessId, 'promo', 'Só hoje', { category: 'MARKETING' })
  template(businessId, 'velho', 'Antigo', { status: 'PAUSED' })
  template(businessId, 'recusado', 'Não', { status: 'REJECTED' })
  template(businessId, 'foto', 'Veja', {
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Veja' },
    ],
  })
  template(businessId, 'lugar', 'Aqui', { components: [{ type: 'HEADER', format: 'LOCATION' }] })
  ida = at.meta.whatsapp.person('Ida Modelo', '5511982000001')
  at.meta.whatsapp.text(account, ida, 'oi')
  ticketId = (await at.shows('Ida Modelo', (all) => all.length === 1)).id
  expect((await at.admin('PUT', `/tickets/${ticketId}`, { status: 'open' })).status).toBe(200)
  at.meta.world.heard.set(`${account}/${ida.id}`, Date.now() - 25 * at.hour)
})
afterAll(async () => at?.stop())

const list = (query = '') => at.admin('GET', `/templates/${ticketId}${query}`)
const send = (template: object) => at.admin('POST', `/templates/${ticketId}`, { template })
const volta = { name: 'volta', language: 'pt_BR', values: ['Ida', 'A-17'] }
const reached = () => at.meta.world.reached(ida.id)

describe('the templates of an account', () => {
  it('are read from all pages, with those that can be sent first', async () => {
    const { body } = await list()
    expect(body.templates.map(({ name, status, category, media }: any) => [name, status, category, media])).toEqual([
      ['foto', 'approved', 'utility', 'image'],
      ['promo', 'approved', 'marketing', 'none'],
      ['volta', 'approved', 'utility', 'none'],
      ['lugar', 'approved', 'utility', 'other'],
      ['recusado', 'rejected', 'utility', 'none'],
      ['velho', 'paused', 'utility', 'none'],
    ])
  })
  it('are reloaded only on request', async () => {
    at.meta.whatsapp.template(businessId, 'novo', 'Novo')
    const names = async (query: string) => (await list(query)).body.templates.map(({ name }: any) => name)
    expect(await names('')).not.toContain('novo')
    expect(await names('?fresh=true')).toContain('novo')
    expect(await names('')).toContain('novo')
  })
  it('report why they are unavailable', async () => {
    at.meta.world.faults.push({ on: 'message_templates', code: 2, status: 500 })
    expect((await list('?fresh=true')).body.error).toBe('ERR_CHANNEL_AWAY')
    at.meta.world.faults.push({ on: 'message_templates', code: 4 })
    expect((await list('?fresh=true')).body.error).toBe('ERR_CHANNEL_LIMITED')
  })
})

describe('a template message', () => {
  it('reaches a contact after the reply window, and is shown as the contact sees it', async () => {
    const answer = await send(volta)
    const body = 'Olá Ida, podemos continuar? Pedido A-17.'
    expect([answer.status, answer.body]).toMatchObject([200, { body, template: { name: 'volta', category: 'utility' } }])
    await eventually(
      async () => reached(),
      (all) => all.some((one) => one.type === 'template' && one.body === body),
    )
    await at.shows('Ida Modelo', (all) => all.some((one) => one.body === body && one.ack >= 1))
  })
  it('is sent once per command', async () => {
    const once = { 'x-command-id': crypto.randomUUID() }
    const before = reached().length
    const [one, two] = [
      await at.admin('POST', `/templates/${ticketId}`, { template: volta }, once),
      await at.admin('POST', `/templates/${ticketId}`, { template: volta }, once),
    ]
    expect(one.body.id).toBe(two.body.id)
    await at.house.settled()
    expect(reached()).toHaveLength(before + 1)
  })
  it('fails with a reason if the template is paused, and can be sent again', async () => {
    at.meta.world.faults.push({ on: '1001/messages', method: 'POST', code: 132015 })
    const { body } = await send({ ...volta, values: ['Ida', 'A-18'] })
    await at.shows('Ida Modelo', (all) => all.find(({ id }) => id === body.id)?.failed === 'ERR_TEMPLATE_PAUSED')
    const again = await at.admin('POST', `/messages/${body.id}/again`)
    expect(again.body.template).toEqual(body.template)
    await eventually(
      async () => reached(),
      (all) => all.some((one) => one.type === 'template' && one.body.includes('A-18')),
    )
  })
  it('has its file at the beginning, and accepts no other kind', async () => {
    const picture = sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
    const png = new File([new Uint8Array(await picture.png().toBuffer())], 'oferta.png', { type: 'image/png' })
    const form = (file: File, name = 'foto') => {
      const body = new FormData()
      body.set('template', JSON.stringify({ name, language: 'pt_BR', values: [] }))
      body.append('file', file)
      return at.admin('POST', `/templates/${ticketId}`, body)
    }
    const { status, body } = await form(png)
    expect([status, body]).toMatchObject([200, { body: 'Veja', mediaType: 'image', template: { name: 'foto' }, media: { width: 4 } }])
    const header = () => reached().findLast(({ body }) => body === 'Veja')?.content.file
    await eventually(async () => header(), Boolean)
    expect((await sharp(header()).metadata()).width).toBe(4)
    const pdf = new File(['%PDF-1.4 nota'], 'nota.pdf', { type: 'application/pdf' })
    const large = new File([new Uint8Array(await picture.png().toBuffer()), new Uint8Array(5 * 1024 * 1024)], 'grande.png')
    for (const [answer, code] of [
      [await form(pdf), 'ERR_UNSUPPORTED_MEDIA'],
      [await form(large), 'ERR_TOO_LARGE'],
      [await form(png, 'promo'), 'ERR_TEMPLATE_FIELDS'],
    ] as const)
      expect(answer.body.error).toBe(code)
    expect((await at.house.as('carla')('POST', `/templates/${ticketId}`, { template: volta })).status).toBeGreaterThanOrEqual(403)
  })
  it('is refused with the empty field, or for the state of the template', async () => {
    for (const [body, status, error] of [
      [{ ...volta, values: ['Ida', ' '] }, 400, 'ERR_TEMPLATE_FIELDS'],
      [{ ...volta, values: ['Ida'] }, 400, 'ERR_TEMPLATE_FIELDS'],
      [{ ...volta, values: ['Ida', 'a\nb'] }, 400, 'ERR_TEMPLATE_FIELDS'],
      [{ ...volta, language: 'en' }, 404, 'ERR_TEMPLATE_GONE'],
      [{ name: 'velho', language: 'pt_BR', values: [] }, 400, 'ERR_TEMPLATE_PAUSED'],
      [{ name: 'lugar', language: 'pt_BR', values: [] }, 400, 'ERR_TEMPLATE_MEDIA'],
      [{ name: 'foto', language: 'pt_BR', values: [] }, 400, 'ERR_TEMPLATE_FIELDS'],
      [{ name: 'volta', language: 'pt_BR' }, 400, 'ERR_INVALID_INPUT'],
    ] as const) {
      const answer = await send(body)
      expect([answer.status, answer.body.error]).toEqual([status, error])
    }
  })
  it('is refused for other channels and for users without access', async () => {
    const contact = await at.admin('POST', '/contacts', { name: 'Zé', number: '5511940000001' })
    const here = { contactId: contact.body.id, queueId: at.house.company.queues.vendas, whatsappId: at.house.company.connections.loja }
    const { body } = await at.admin('POST', '/tickets', here)
    expect((await at.admin('GET', `/templates/${body.id}`)).body.error).toBe('ERR_CHANNEL_CANNOT')
    expect((await at.house.as('root')('GET', `/templates/${ticketId}`)).status).toBe(404)
  })
})

it('a ticket shows when its contact wrote last, and what its channel supports', async () => {
  const row = async (id: number) =>
    (await at.admin('GET', `/tickets?contactId=${await contactOf()}`)).body.tickets.find((one: any) => one.id === id)
  const contactOf = async () =>
    (await at.house.db.selectFrom('ticket').select('contactId').where('id', '=', ticketId).executeTakeFirstOrThrow()).contactId
  const { heardAt } = await row(ticketId)
  expect(Date.now() - Date.parse(heardAt)).toBeLessThan(60_000)
  const [ours] = (await at.thread('Ida Modelo')).messages.filter(({ fromMe, failed }) => fromMe && failed === null)
  expect((await at.admin('PUT', `/messages/${ours.id}`, { body: 'outra' })).body.error).toBe('ERR_CHANNEL_CANNOT')
  expect((await at.admin('DELETE', `/messages/${ours.id}`)).body.error).toBe('ERR_CHANNEL_CANNOT')
  expect((await at.admin('PUT', `/tickets/${ticketId}`, { status: 'closed', sendFarewellMessage: false })).status).toBe(200)
  const next = { contactId: await contactOf(), queueId: at.house.company.queues.vendas, whatsappId: line.id }
  const opened = await at.admin('POST', '/tickets', next)
  expect(opened.body.heardAt).toBe(heardAt)
})
