import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* Interactive messages with the sandbox's phones: what is sent, what a phone shows, and what is returned. */
let app: TestApp
let balcao = 0
beforeAll(async () => {
  app = await startTestApp()
  balcao = app.company.connections.balcao
})
afterAll(() => app?.stop())

const bruno = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  app.as('bruno')(method, path, body, headers)
async function served(number: string): Promise<number> {
  await app.phone.says(number, 'Oi')
  await app.settled()
  const ticket = await app.db
    .selectFrom('ticket')
    .innerJoin('contact', 'contact.id', 'ticket.contactId')
    .select('ticket.id')
    .where('contact.number', '=', number)
    .executeTakeFirstOrThrow()
  expect((await bruno('PUT', `/tickets/${ticket.id}`, { status: 'open', queueId: app.company.queues.vendas })).status).toBe(200)
  return ticket.id
}
type Line = { id: string; mine: boolean; kind: string; body: string; interactive: any; mime: string | null }
const shownOn = async (number: string, is: (line: Line) => unknown): Promise<Line> => {
  const look = async () => (await app.as('admin')('GET', `/sandbox/${balcao}/phone/${number}`)).body as Line[]
  return (await eventually(look, (lines) => lines.some(is))).find(is)!
}
const thread = async (id: number) => {
  await app.settled()
  return (await bruno('GET', `/messages/${id}`)).body.messages as any[]
}
const list = {
  ...{ title: 'Horários de {nome}', description: 'Qual?', buttonText: 'Ver' },
  sections: [
    {
      title: 'Hoje',
      rows: [
        { title: 'Manhã', rowId: 'x' },
        { title: 'Tarde', description: 'até 18h' },
      ],
    },
    { title: 'Amanhã', rows: [{ title: 'Noite' }] },
  ],
}

it('a list is shown on the phone, and a choice quotes the list', async () => {
  const number = '5511944440001'
  const id = await served(number)
  const { status, body } = await bruno('POST', `/messages/lista/${id}`, list)
  expect(status).toBe(200)
  expect(body.messages).toMatchObject([
    { mediaType: 'interactiveMessage', fromMe: true, interactive: { kind: 'list', title: 'Horários de Cliente 0001' } },
  ])
  const line = await shownOn(number, ({ interactive }) => interactive)
  expect(line.interactive.title).toBe('Horários de Cliente 0001')
  expect(line.interactive.sections.flatMap(({ rows }: any) => rows.map((row: any) => [row.id, row.title]))).toEqual([
    ['1', 'Manhã'],
    ['2', 'Tarde'],
    ['3', 'Noite'],
  ])
  await app.phone.says(number, 'Tarde', { quotedId: line.id })
  expect((await thread(id)).at(-1)).toMatchObject({
    body: 'Tarde',
    fromMe: false,
    quotedMsg: { id: body.messages[0].id, mediaType: 'interactiveMessage' },
  })
  const found = await bruno('GET', `/messages/${id}/search?searchParam=ate%2018h`)
  expect(found.body.messages).toHaveLength(1)
})

it('a connection without interactive messages sends the text', async () => {
  const number = '5511944440002'
  const id = await served(number)
  const set = (interactiveMessages: string) => app.as('admin')('PUT', `/whatsapp/${balcao}`, { interactiveMessages })
  expect((await set('disabled')).body.interactiveMessages).toBe('disabled')
  const sent = await bruno('POST', `/messages/lista/${id}`, { ...list, title: 'Horários' })
  expect(sent.status).toBe(200)
  const line = await shownOn(number, ({ mine }) => !mine)
  expect(line).toMatchObject({
    kind: 'chat',
    interactive: null,
    body: 'Horários\n\nQual?\n\nHoje\n1. Manhã\n2. Tarde – até 18h\n\nAmanhã\n3. Noite',
  })
  await set('enabled')
})

it('a group gets the text, because phones show nothing else there', async () => {
  const group = { id: '120363000000000777', name: 'Condomínio' }
  await app.phone.says('5511944440009', 'Bom dia a todos', { group })
  await app.settled()
  const { id } = await app.db
    .selectFrom('ticket')
    .select('id')
    .where('isGroup', '=', true)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const copy = { title: 'Cupom', buttonText: 'Copiar', copyText: 'DEZ' }
  expect((await app.as('admin')('POST', `/messages/copy/${id}`, copy)).status).toBe(200)
  expect(await shownOn(group.id, ({ mine }) => !mine)).toMatchObject({ kind: 'chat', interactive: null, body: 'Cupom\n\nCopiar:\n\nDEZ' })
})

it('a link may have a picture, and no other file', async () => {
  const number = '5511944440003'
  const id = await served(number)
  const form = (file: Blob, name: string) => {
    const data = new FormData()
    for (const [key, value] of Object.entries({ title: 'Oferta', buttonText: 'Abrir', copyText: 'loja.test' })) data.append(key, value)
    data.append('image', file, name)
    return data
  }
  const png = await sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const { status, body } = await bruno('POST', `/messages/URL/${id}`, form(new Blob([new Uint8Array(png)]), 'oferta.png'))
  expect([status, body.messages?.[0].media, body.messages?.[0].interactive.url]).toMatchObject([
    200,
    { mime: 'image/png', width: 4 },
    'https://loja.test/',
  ])
  const line = await shownOn(number, ({ interactive }) => interactive)
  expect([line.interactive.kind, line.mime]).toEqual(['url', 'image/png'])
  const text = await bruno('POST', `/messages/URL/${id}`, form(new Blob(['nota']), 'nota.txt'))
  expect([text.status, text.body.error]).toEqual([415, 'ERR_UNSUPPORTED_MEDIA'])
  expect((await thread(id)).filter(({ fromMe }) => fromMe)).toHaveLength(1)
})

it('every wrong field is named, and nothing is sent', async () => {
  const id = await served('5511944440004')
  const button = { title: 'Oferta', buttonText: 'Ver' }
  const pix = { title: 'Pedido', sendkey_type: 'CPF', sendKey: '529.982.247-25', sendmerchant_name: 'Loja' }
  const rows = (n: number) => Array.from({ length: n }, (_, i) => ({ title: `Opção ${i}` }))
  for (const [path, body, field] of [
    ['lista', { ...button, sections: [] }, 'sections'],
    [
      'lista',
      {
        ...button,
        sections: [
          { title: 'a', rows: rows(6) },
          { title: 'b', rows: rows(5) },
        ],
      },
      'sections',
    ],
    ['lista', { ...button, sections: [{ title: 'a', rows: rows(1) }, { rows: rows(1) }] }, 'sections/1/title'],
    ['lista', { ...button, title: 'x'.repeat(61), sections: [{ rows: rows(1) }] }, 'title'],
    ['copy', { ...button, buttonText: ' ', copyText: 'a' }, 'buttonText'],
    ['call', { ...button, copyText: '0800' }, 'copyText'],
    ['URL', { ...button, copyText: 'ftp://a.test' }, 'copyText'],
    ['PIX', { ...pix, sendKey: '529.982.247-24' }, 'sendKey'],
    ['PIX', { ...pix, sendkey_type: 'IBAN' }, 'sendkey_type'],
    ['PIX', { ...pix, sendvalue: '1,234' }, 'sendvalue'],
    ['PIX', { ...pix, sendvalue: -1 }, 'sendvalue'],
  ] as const) {
    const answer = await bruno('POST', `/messages/${path}/${id}`, body)
    expect([path, answer.status, answer.body.error, answer.body.field]).toEqual([path, 400, 'ERR_INVALID_INPUT', field])
  }
  const text = { title: 'Cupom', buttonText: 'Copiar', copyText: 'DEZ' }
  for (const [path, body] of Object.entries({
    'lista/abc': list,
    'copy/1e3': text,
    'URL/abc': { ...button, copyText: 'https://a.test' },
  })) {
    const answer = await bruno('POST', `/messages/${path}`, body, { 'accept-language': 'pt-BR' })
    expect(answer).toMatchObject({ status: 400, body: { error: 'ERR_INVALID_INPUT', message: 'Ticket ID inválido' } }) // A-MSG-05
  }
  expect((await thread(id)).filter(({ fromMe }) => fromMe)).toEqual([])
})

it('a message is sent once per command id, and only by the ticket’s agent', async () => {
  const id = await served('5511944440005')
  const headers = { 'x-command-id': crypto.randomUUID() }
  const copy = (copyText: string, who = bruno) =>
    who('POST', `/messages/copy/${id}`, { title: 'Cupom', buttonText: 'Copiar', copyText }, headers)
  const [first, again] = [await copy('DEZ'), await copy('DEZ')]
  expect([first.status, again.body.messages[0].id]).toEqual([200, first.body.messages[0].id])
  const other = await copy('VINTE')
  expect([other.status, other.body.error]).toEqual([409, 'ERR_COMMAND_REUSED'])
  expect(
    (await app.as('carla')('POST', `/messages/copy/${id}`, { title: 'a', buttonText: 'b', copyText: 'c' })).status,
  ).toBeGreaterThanOrEqual(403)
  const changed = await bruno('POST', `/messages/edit/${first.body.messages[0].id}`, { body: 'outra coisa' })
  expect([changed.status, changed.body.error]).toEqual([400, 'ERR_INVALID_INPUT'])
})

it('an interactive message is forwarded as such', async () => {
  const id = await served('5511944440006')
  const to = await served('5511944440007')
  const contactId = (await app.db.selectFrom('ticket').select('contactId').where('id', '=', to).executeTakeFirstOrThrow()).contactId
  const { body } = await bruno('POST', `/messages/copy/${id}`, { title: 'Cupom', buttonText: 'Copiar', copyText: 'DEZ' })
  expect((await bruno('POST', '/message/forward', { messageId: body.messages[0].id, contactId })).status).toBe(200)
  expect(await shownOn('5511944440007', ({ interactive }) => interactive)).toMatchObject({ interactive: { kind: 'copy', copies: 'DEZ' } })
})
