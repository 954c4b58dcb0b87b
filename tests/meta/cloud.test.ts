import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '#tests/support/wait.ts'
import { own, startWithMeta, type WithMeta } from './house.ts'

let at: WithMeta
let line: Awaited<ReturnType<WithMeta['cloud']>>
const said: string[] = []
beforeAll(async () => {
  at = await startWithMeta({ log: (text) => void said.push(text) })
  line = await at.cloud()
})
afterAll(async () => at?.stop())

const phone = () => at.meta.whatsapp
const account = own.phoneNumberId
let people = 0
const someone = (name: string) => phone().person(name, `55119${String(81_000_000 + ++people)}`)
const send = async (ticketId: number, body: object | FormData) => {
  const answer = await at.admin('POST', `/messages/${ticketId}`, body)
  expect(answer.status).toBeLessThan(300)
}
const reached = (id: string) => at.meta.world.reached(id)
const picture = (color: string) =>
  sharp({ create: { width: 4, height: 3, channels: 3, background: color } })
    .png()
    .toBuffer()

describe('connecting a number of the Cloud API', () => {
  it('accepts pasted credentials with blanks, verifies them, and never shows secrets again', () => {
    expect(line.proven).toBe(true)
    expect(line.row).toMatchObject({
      ...{ status: 'CONNECTED', number: '551140001000', channel: 'whatsappapi' },
      account: { product: 'whatsapp', accountId: '1001', businessId: '9001', tokenExpiresAt: null },
    })
    const shown = JSON.stringify(line.row)
    for (const secret of [line.accessToken, own.appSecret, own.verifyToken]) expect(shown).not.toContain(secret)
  })
  it('reports what Meta refuses, and stores nothing', async () => {
    const before = (await at.admin('GET', '/whatsapp')).body.length
    const make = (cloud: object) => at.admin('POST', '/whatsapp', { name: 'Outra', channel: 'whatsappapi', provider: 'cloud', cloud })
    const given = { ...own, accessToken: line.accessToken }
    for (const [cloud, error, field] of [
      [{ ...given, accessToken: 'EAAwrong' }, 'ERR_CHANNEL_TOKEN', 'cloud/accessToken'],
      [{ ...given, appSecret: 'another-apps' }, 'ERR_CHANNEL_ACCOUNT', 'cloud/appSecret'],
      [{ ...given, phoneNumberId: '77777' }, 'ERR_CHANNEL_ACCOUNT', 'cloud/phoneNumberId'],
      [{ ...given, businessId: '77777' }, 'ERR_CHANNEL_ACCOUNT', 'cloud/businessId'],
      [{ ...given, accessToken: 'two words' }, 'ERR_INVALID_INPUT'],
      [{ ...given, appSecret: '  ' }, 'ERR_INVALID_INPUT'],
      [given, 'ERR_CHANNEL_TAKEN'],
    ] as const)
      expect((await make(cloud)).body).toMatchObject({ error, ...(field && { field }) })
    expect((await at.admin('GET', '/whatsapp')).body).toHaveLength(before)
  })
  it('keeps empty fields on a change, and verifies again', async () => {
    const fresh = at.meta.world.grant(own.businessId, [], null, own.appSecret)
    const changed = await at.admin('PUT', `/whatsapp/${line.id}`, { cloud: { accessToken: fresh, appSecret: '' } })
    expect(changed.body.account).toMatchObject({ accountId: '1001' })
    expect(await at.house.ctx.meta.of(at.house.db, line.id)).toMatchObject({ token: fresh, appSecret: own.appSecret })
  })
})

describe('a message of a customer', () => {
  it('is shown by its kind: text, picture, location, card, button, quote, reaction', async () => {
    const ana = someone('Ana Oficial')
    const first = phone().text(account, ana, 'Olá, é da loja?')
    await at.shows('Ana Oficial', (all) => all.length === 1)
    const card = { name: { formatted_name: 'Beto' }, phones: [{ phone: '+55 11 98888-0000', wa_id: '5511\r\nFN:Outro' }] }
    phone().says(
      account,
      ana,
      { type: 'image', image: { ...phone().keep(await picture('red'), 'image/png'), caption: 'a foto' } },
      { type: 'location', location: { latitude: -23.5, longitude: -46.6, name: 'Praça' } },
      { type: 'contacts', contacts: [card] },
      { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: '1', title: 'Quero' } } },
      { type: 'button', button: { text: 'Sim', payload: 'x' } },
      { type: 'text', text: { body: 'sobre isto' }, context: { id: first } },
      { type: 'unsupported', errors: [{ code: 131051 }] },
      { type: 'reaction', reaction: { message_id: first, emoji: '👍' } },
    )
    const { messages } = await at.shows('Ana Oficial', (all) => all.length === 8 && all[0].reactions?.length === 1)
    expect(messages.map(({ mediaType, body }) => [mediaType, body])).toEqual([
      ['chat', 'Olá, é da loja?'],
      ['image', 'a foto'],
      ['locationMessage', '| https://www.google.com/maps?q=-23.5,-46.6 | Praça'],
      ['contactMessage', ''],
      ['chat', 'Quero'],
      ['chat', 'Sim'],
      ['chat', 'sobre isto'],
      ['unsupported', ''],
    ])
    expect(messages[1].media).toMatchObject({ mime: 'image/png', width: 4, height: 3 })
    expect(messages[3].vCard.split('\n').slice(3, 5)).toEqual(['FN:Beto', 'TEL;type=CELL;waid=5511:+55 11 98888-0000'])
    expect(messages[6].quotedMsg).toMatchObject({ body: 'Olá, é da loja?' })
  })
  it('can quote a message of an earlier ticket, and be quoted', async () => {
    const eli = someone('Eli Voltou')
    const asked = phone().text(account, eli, 'quanto custa?')
    const { id } = await at.shows('Eli Voltou', (all) => all.length === 1)
    await at.admin('PUT', `/tickets/${id}`, { status: 'open' })
    await send(id, { body: 'dez reais' })
    const got = () => reached(eli.id).find(({ body }) => body === 'dez reais')
    await eventually(async () => got(), Boolean)
    await at.shows('Eli Voltou', (all) => all.at(-1)?.ack >= 1)
    expect((await at.admin('PUT', `/tickets/${id}`, { status: 'closed', sendFarewellMessage: false })).status).toBe(200)
    phone().text(account, eli, 'fechado', { id: got()!.id })
    const now = await at.shows('Eli Voltou', (all) => all.at(-1)?.body === 'fechado')
    expect(now.id).not.toBe(id)
    expect(now.messages.at(-1).quotedMsg).toMatchObject({ body: 'dez reais', fromMe: true })

    await at.admin('PUT', `/tickets/${now.id}`, { status: 'open' })
    await send(now.id, { body: 'ainda dez', quotedMsg: { id: now.messages[0].id } })
    const answer = () => reached(eli.id).find(({ body }) => body === 'ainda dez')
    await eventually(async () => answer(), Boolean)
    expect(answer()!.quoted).toBe(asked)
    const { messages } = await at.shows('Eli Voltou', (all) => all.at(-1)?.body === 'ainda dez')
    expect(messages.at(-1).quotedMsg).toMatchObject({ body: 'quanto custa?', fromMe: false })
    const theirs = (await at.thread('Ana Oficial')).messages[0]
    const wrong = await at.admin('POST', `/messages/${now.id}`, { body: 'isto não', quotedMsg: { id: theirs.id } })
    expect(wrong.body.error).toBe('ERR_FETCH_WAPP_MSG')
  })
  it('is stored without its file if the hash is wrong, and with any kind of file', async () => {
    const ivo = someone('Ivo Trocado')
    const none = Buffer.from('MZ\x90\x00 no document at all')
    const files = [phone().keep(none, 'application/pdf'), phone().keep(await picture('green'), 'image/png', 'another')]
    const names = ['programa.pdf', 'contrato.pdf']
    const told = files.map((one, i) => ({ type: 'document', document: { ...one, filename: names[i], caption: `arquivo ${i}` } }))
    phone().says(account, ivo, ...told, { type: 'text', text: { body: 'viu?' } })
    const { messages } = await at.shows('Ivo Trocado', (all) => all.length === 3)
    expect(messages.map(({ body, media }) => [body, media])).toEqual([
      ['arquivo 0', expect.objectContaining({ mime: 'application/x-msdownload', name: 'programa.pdf' })],
      ['contrato.pdf\narquivo 1', null],
      ['viu?', null],
    ])
  })
  it('keeps its order, and is counted once if redelivered', async () => {
    const people = Array.from({ length: 6 }, (_, i) => someone(`Rajada ${i}`))
    for (const [i, one] of people.entries()) {
      const texts = Array.from({ length: 10 }, (_, n) => ({ type: 'text', text: { body: `${i}-${n}` } }))
      at.meta.hooks.courses.push({ duplicate: true, ...(i % 2 === 0 && { loseAnswer: true }) })
      phone().says(account, one, ...texts)
    }
    await at.meta.hooks.quiet()
    for (const [i] of people.entries()) {
      const { messages, id } = await at.shows(`Rajada ${i}`, (all) => all.length >= 10)
      expect(messages.map(({ body }) => body)).toEqual(Array.from({ length: 10 }, (_, n) => `${i}-${n}`))
      const row = at.house.db.selectFrom('ticket').select('unreadMessages').where('id', '=', id)
      expect((await row.executeTakeFirstOrThrow()).unreadMessages).toBe(10)
    }
  })
  it('can come from a contact without a number', async () => {
    const uma = phone().person('Uma Semnumero', null)
    phone().text(account, uma, 'oi')
    const { id } = await at.shows('Uma Semnumero', (all) => all.length === 1)
    await at.admin('PUT', `/tickets/${id}`, { status: 'open' })
    await send(id, { body: 'olá' })
    await eventually(
      async () => reached(uma.id).map(({ body }) => body),
      (all) => all.includes('olá'),
    )
  })
})

describe('an agent’s message', () => {
  it('arrives once, with its quote and its file, and gets its receipts', async () => {
    const rui = someone('Rui Resposta')
    const asked = phone().text(account, rui, 'tem azul?')
    const { id, messages } = await at.shows('Rui Resposta', (all) => all.length === 1)
    await at.admin('PUT', `/tickets/${id}`, { status: 'open' })
    await at.admin('POST', `/tickets/${id}/seen`, { messageId: messages[0].id })
    await send(id, { body: 'tem sim', quotedMsg: { id: messages[0].id } })
    const form = new FormData()
    form.set('body', 'esta aqui')
    form.set('medias', new File([new Uint8Array(await picture('blue'))], 'azul.png', { type: 'image/png' }))
    await send(id, form)
    const got = () => reached(rui.id).filter(({ body }) => ['tem sim', 'esta aqui'].includes(body))
    await eventually(
      async () => got(),
      (all) => all.length === 2,
    )
    expect(got().map(({ type, quoted }) => [type, quoted])).toEqual([
      ['text', asked],
      ['image', null],
    ])
    expect((await sharp(got()[1]!.content.bytes).metadata()).width).toBe(4)
    phone().mark(got()[0]!, 'read')
    phone().mark(got()[1]!, 'delivered')
    await at.shows(
      'Rui Resposta',
      (all) => all.find(({ body }) => body === 'tem sim')?.ack >= 3 && all.find(({ body }) => body === 'esta aqui')?.ack === 2,
    )
    await eventually(
      async () => phone().read,
      (all) => all.includes(asked),
    )
  })
  it('is split if it is too long, or sent after its file', async () => {
    const nara = someone('Nara Longa')
    phone().text(account, nara, 'conte tudo')
    const { id } = await at.shows('Nara Longa', (all) => all.length === 1)
    await at.admin('PUT', `/tickets/${id}`, { status: 'open' })
    const words = (n: number) => Array.from({ length: n }, (_, i) => `palavra${i}`).join(' ')
    await send(id, { body: words(900) })
    const form = new FormData()
    form.set('body', words(200))
    form.set('medias', new File([new Uint8Array(await picture('gray'))], 'cinza.png', { type: 'image/png' }))
    await send(id, form)
    const got = () => reached(nara.id)
    await eventually(
      async () => got().length,
      (n) => n === 5,
    )
    const bodies = got().map(({ body }) => body)
    expect(bodies.slice(0, 3).join(' ')).toBe(words(900))
    expect(got()[3]).toMatchObject({ type: 'image', body: '' })
    expect(bodies[4]).toBe(words(200))
    phone().mark(got()[0]!, 'read')
    const { messages } = await at.shows('Nara Longa', (all) => all[1]?.ack >= 3 && all[2]?.ack >= 1)
    expect(messages).toHaveLength(3)
  })
  it('fails as sent in part if only a part arrives, and continues if its rest is postponed', async () => {
    const teo = someone('Teo Metade')
    const asked = phone().text(account, teo, 'e então?')
    const { id } = await at.shows('Teo Metade', (all) => all.length === 1)
    await at.admin('PUT', `/tickets/${id}`, { status: 'open' })
    await at.house.settled()
    const parts = async () => reached(teo.id)
    const arrives = (n: number) => eventually(parts, ({ length }) => length === n)
    const long = (word: string) => `${word} `.repeat(900).trim()
    const second = { on: '1001/messages', method: 'POST' }
    at.meta.world.faults.push({ ...second }, { ...second, code: 131056 })
    await send(id, { body: long('inteira') })
    await arrives(2)
    await at.shows('Teo Metade', (all) => all.at(-1)?.ack >= 1)
    await eventually(async () => at.meta.world.calls.some(({ body }) => body?.message_id === asked), Boolean) // the read receipt
    at.meta.world.faults.push({ ...second }, { ...second, code: 131026, delayMs: 1500 })
    await send(id, { body: long('metade') })
    const [, , part] = await arrives(3)
    phone().mark(part!, 'delivered')
    await at.shows('Teo Metade', (all) => all.at(-1)?.failed === 'ERR_SENT_IN_PART')
    await at.meta.hooks.quiet()
    await at.house.settled()
    phone().mark(part!, 'read')
    phone().text(account, teo, 'só veio metade')
    const { messages } = await at.shows('Teo Metade', (all) => all.at(-1)?.body === 'só veio metade')
    expect(messages.map(({ failed }) => failed)).toEqual([null, null, 'ERR_SENT_IN_PART', null])
  })
  it('fails with a reason if its file is missing', async () => {
    const gil = someone('Gil Semfoto')
    phone().text(account, gil, 'e a foto?')
    const { id } = await at.shows('Gil Semfoto', (all) => all.length === 1)
    await at.admin('PUT', `/tickets/${id}`, { status: 'open' })
    await at.admin('DELETE', `/whatsappsession/${line.id}`)
    const form = new FormData()
    form.set('body', 'esta')
    form.set('medias', new File([new Uint8Array(await picture('black'))], 'preta.png', { type: 'image/png' }))
    await send(id, form)
    const sent = at.house.db.selectFrom('message').select(['companyId', 'media']).where('ticketId', '=', id).where('fromMe', '=', true)
    const { companyId, media } = await sent.executeTakeFirstOrThrow()
    await at.house.ctx.media.withdraw(companyId, media!.key)
    await at.admin('POST', `/whatsappsession/${line.id}`)
    await at.shows('Gil Semfoto', (all) => all.at(-1)?.failed === 'ERR_NO_MEDIA_FOUND')
  })
  it('fails with a reason outside the reply window', async () => {
    const zoe = someone('Zoe Tarde')
    phone().text(account, zoe, 'oi')
    const { id } = await at.shows('Zoe Tarde', (all) => all.length === 1)
    await at.admin('PUT', `/tickets/${id}`, { status: 'open' })
    at.meta.world.heard.set(`${account}/${zoe.id}`, Date.now() - 25 * at.hour)
    await send(id, { body: 'ainda aí?' })
    const { messages } = await at.shows('Zoe Tarde', (all) => all.at(-1)?.body === 'ainda aí?' && all.at(-1).failed !== null)
    expect(messages.at(-1)).toMatchObject({ body: 'ainda aí?', failed: 'ERR_WINDOW_CLOSED' })
    expect(reached(zoe.id).filter(({ body }) => body === 'ainda aí?')).toEqual([])
  })
  it('is sent once if the answer is lost, and confirmed by its receipt', async () => {
    const lia = someone('Lia Perdida')
    phone().text(account, lia, 'oi')
    const { id } = await at.shows('Lia Perdida', (all) => all.length === 1)
    await at.admin('PUT', `/tickets/${id}`, { status: 'open' })
    await at.house.settled()
    at.meta.world.faults.push({ on: '1001/messages', method: 'POST', lost: 'answer' })
    await send(id, { body: 'única vez' })
    const mine = () => reached(lia.id).filter(({ body }) => body === 'única vez')
    await eventually(
      async () => mine(),
      (all) => all.length === 1,
    )
    await at.house.settled()
    phone().mark(mine()[0]!, 'delivered')
    await at.shows('Lia Perdida', (all) => all.find(({ body }) => body === 'única vez')?.ack === 2)
    expect(mine()).toHaveLength(1)
  })
})

it('no token and no secret is in the log', () => {
  const all = said.join('\n')
  expect(all.length).toBeGreaterThan(1000)
  for (const secret of [line.accessToken, own.appSecret, own.verifyToken]) expect(all).not.toContain(secret)
})
