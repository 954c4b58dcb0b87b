import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '#tests/support/wait.ts'
import { startAtAll, type WithMeta } from './house.ts'

/* Every kind of inbound content of Meta's products, and how it appears in the ticket. */
let at: WithMeta
beforeAll(async () => {
  at = await startAtAll()
})
afterAll(async () => at?.stop())

const box = (brand: string) => Buffer.concat([Buffer.from([0, 0, 0, 20]), Buffer.from(`ftyp${brand}\0\0\0\0${brand}`), Buffer.alloc(64)])
const picture = () => sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
const files: Record<'png' | 'webp' | 'mp4' | 'mp3', () => Promise<[content: Buffer, mime: string]>> = {
  png: async () => [await picture().png().toBuffer(), 'image/png'],
  webp: async () => [await picture().webp().toBuffer(), 'image/webp'],
  mp4: async () => [box('isom'), 'video/mp4'],
  mp3: async () => [
    Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\0'), Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]),
    'audio/mpeg',
  ],
}
type File = keyof typeof files
type Shown = { kind: string; body?: string; mime?: string; deleted?: true; edited?: true; fromMe?: true }
const shownOf = ({ mediaType, body, media, isDeleted, isEdited, fromMe }: any): Shown => ({
  kind: mediaType,
  ...(body !== '' && { body }),
  ...(media && { mime: media.mime }),
  ...(isDeleted && { deleted: true }),
  ...(isEdited && { edited: true }),
  ...(fromMe && { fromMe: true }),
})
const place = '| https://www.google.com/maps?q=-23.5,-46.6 | '

describe('a WhatsApp message', () => {
  const phone = () => at.meta.whatsapp
  const file = async (of: File) => phone().keep(...(await files[of]()))
  const items = [
    { product_retailer_id: 'caneca-azul', quantity: 2, item_price: 30, currency: 'BRL' },
    { product_retailer_id: 'pires', quantity: 1, item_price: 9, currency: 'BRL' },
  ]
  const rows: [what: string, told: () => Promise<object>, shown: Shown][] = [
    [
      'an order',
      async () => ({ type: 'order', order: { catalog_id: '1', product_items: items, text: 'Sem cebola, por favor.' } }),
      { kind: 'chat', body: '2 × caneca-azul · R$ 30,00\n1 × pires · R$ 9,00\nTotal: R$ 69,00\nSem cebola, por favor.' },
    ],
    [
      'a sticker',
      async () => ({ type: 'sticker', sticker: { ...(await file('webp')), animated: false } }),
      { kind: 'image', mime: 'image/webp' },
    ],
    [
      'a voice note',
      async () => ({ type: 'audio', audio: { ...(await file('mp3')), voice: true } }),
      { kind: 'audio', mime: 'audio/mpeg' },
    ],
    [
      'a video',
      async () => ({ type: 'video', video: { ...(await file('mp4')), caption: 'olha' } }),
      { kind: 'video', mime: 'video/mp4', body: 'olha' },
    ],
    [
      'the answer of a form',
      async () => ({
        type: 'interactive',
        interactive: { type: 'nfm_reply', nfm_reply: { response_json: '{"dia":"seg"}', body: 'Sent' } },
      }),
      { kind: 'chat', body: '{"dia":"seg"}' },
    ],
    [
      'an answer of a kind that is new',
      async () => ({ type: 'interactive', interactive: { type: 'payment_reply', payment_reply: { reference: 'Pedido 7' } } }),
      { kind: 'unsupported' },
    ],
    ['a button without a text', async () => ({ type: 'button', button: { payload: 'SIM' } }), { kind: 'chat', body: 'SIM' }],
    ['cards that are none', async () => ({ type: 'contacts', contacts: [] }), { kind: 'unsupported' }],
    ['content of an unknown kind', async () => ({ type: 'hologram', hologram: {} }), { kind: 'unsupported' }],
  ]
  it.each(rows)('%s is shown by its kind', async (what, told, shown) => {
    const name = `Zap ${what}`
    const one = phone().person(name, `55119${86_000_000 + rows.findIndex(([is]) => is === what)}`)
    phone().says('1001', one, (await told()) as { type: string })
    const { messages } = await at.shows(name, (all) => all.length === 1)
    expect(messages.map(shownOf)).toEqual([shown])
  })
  it('can be edited and deleted', async () => {
    const one = phone().person('Zap Mudado', '5511987000001')
    const [first = '', second = ''] = phone().says(
      '1001',
      one,
      { type: 'text', text: { body: 'um' } },
      { type: 'text', text: { body: 'dois' } },
    )
    await at.shows('Zap Mudado', (all) => all.length === 2)
    const changed = { type: 'text', text: { body: 'um, digo' } }
    phone().says(
      '1001',
      one,
      { type: 'edit', edit: { original_message_id: first, message: changed } },
      { type: 'revoke', revoke: { original_message_id: second } },
    )
    const { messages } = await at.shows('Zap Mudado', (all) => all[0].isEdited && all[1].isDeleted)
    expect(messages.map(shownOf)).toEqual([
      { kind: 'chat', body: 'um, digo', edited: true },
      expect.objectContaining({ kind: 'chat', deleted: true }),
    ])
  })
  it('of the business in its own app is shown, with its file', async () => {
    const one = phone().person('Zap Digitado', '5511987000002')
    phone().text('1001', one, 'oi')
    await at.shows('Zap Digitado', (all) => all.length === 1)
    phone().typed('1001', one, { type: 'text', text: { body: 'da loja' } })
    await at.shows('Zap Digitado', (all) => all.length === 2)
    phone().typed('1001', one, { type: 'video', video: await file('mp4') })
    const { messages } = await at.shows('Zap Digitado', (all) => all.length === 3)
    expect(messages.slice(1).map((each) => ({ ...shownOf(each), elsewhere: each.elsewhere }))).toEqual([
      { kind: 'chat', body: 'da loja', fromMe: true, elsewhere: true },
      { kind: 'video', mime: 'video/mp4', fromMe: true, elsewhere: true },
    ])
  })
})

describe.each(['page', 'instagram'] as const)('the %s', (product) => {
  const account = { page: '2001', instagram: '3001' }[product]
  const side = () => at.meta[product]
  const url = async (of: File) => at.meta.media.open(...(await files[of]()))
  type Told = () => Promise<object>
  const attachment =
    (type: string, payload: () => Promise<object>): Told =>
    async () => ({ attachments: [{ type, payload: await payload() }] })
  const rows: [what: string, told: Told, shown: Shown][] = [
    [
      'a sticker',
      attachment('sticker', async () => ({ url: await url('webp'), sticker_id: 369239263222822 })),
      { kind: 'image', mime: 'image/webp' },
    ],
    ['a voice note', attachment('audio', async () => ({ url: await url('mp3') })), { kind: 'audio', mime: 'audio/mpeg' }],
    ['a video', attachment('video', async () => ({ url: await url('mp4') })), { kind: 'video', mime: 'video/mp4' }],
    [
      'a place',
      attachment('location', async () => ({ title: 'Praça', coordinates: { lat: -23.5, long: -46.6 } })),
      { kind: 'locationMessage', body: `${place}Praça` },
    ],
    [
      'a link',
      attachment('fallback', async () => ({ title: 'Notícia', url: 'https://n.test/1' })),
      { kind: 'chat', body: 'Notícia\nhttps://n.test/1' },
    ],
    ['a template', attachment('template', async () => ({ template_type: 'generic', title: 'Oferta' })), { kind: 'chat', body: 'Oferta' }],
    [
      'a template of cards',
      attachment('template', async () => ({ generic: { elements: [{ title: 'Tênis', subtitle: 'R$ 99', buttons: [{ title: 'Ver' }] }] } })),
      { kind: 'chat', body: 'Tênis\nR$ 99\nVer' },
    ],
    [
      'a story',
      attachment('ig_story', async () => ({ story_media_id: '17', story_media_url: 'https://s.test/3.jpg' })),
      { kind: 'chat', body: 'https://s.test/3.jpg' },
    ],
    [
      'a link beside its payload',
      async () => ({ attachments: [{ type: 'fallback', title: 'Vaga', url: 'https://v.test/4', payload: null }] }),
      { kind: 'chat', body: 'Vaga\nhttps://v.test/4' },
    ],
    ['a template without words', attachment('template', async () => ({ template_type: 'generic' })), { kind: 'unsupported' }],
    [
      'a reel',
      attachment('ig_reel', async () => ({ reel_video_id: '1', title: 'Reel', url: await url('mp4') })),
      { kind: 'video', mime: 'video/mp4' },
    ],
    ['a post', attachment('share', async () => ({ url: 'https://p.test/2' })), { kind: 'chat', body: 'https://p.test/2' }],
    ['view-once content', attachment('ephemeral', async () => ({ url: await url('png') })), { kind: 'image', mime: 'image/png' }],
    ['view-once content that only its app shows', attachment('ephemeral', async () => ({})), { kind: 'unsupported' }],
    ['content that only its app shows', async () => ({ is_unsupported: true }), { kind: 'unsupported' }],
  ]
  it.each(rows)('%s is shown by its kind', async (what, told, shown) => {
    const name = `${product} ${what}`
    const one = side().person(name)
    side().event(account, one, { message: { mid: at.meta.world.newId('m_'), ...(await told()) } })
    const { messages } = await at.shows(name, (all) => all.length === 1)
    expect(messages.map(shownOf)).toEqual([shown])
  })

  it('an agent’s answer after a day fails as too late if the app lacks the permission', async () => {
    const name = `Sem agente ${product}`
    const one = side().person(name)
    side().text(account, one, 'oi')
    const { id } = await at.shows(name, (all) => all.length === 1)
    await at.admin('PUT', `/tickets/${id}`, { status: 'open', queueId: at.house.company.queues.vendas })
    at.meta.world.heard.set(`${account}/${one.id}`, Date.now() - 30 * at.hour)
    at.meta.world.humanAgent = false
    const tried = () => at.meta.world.calls.filter(({ body }) => body?.recipient?.id === one.id && body.tag === 'HUMAN_AGENT').length
    const fails = async (body: string) => {
      expect((await at.admin('POST', `/messages/${id}`, { body })).status).toBeLessThan(300)
      return (await at.shows(name, (all) => all.at(-1).body === body && all.at(-1).failed !== null)).messages.at(-1)
    }
    expect(await fails('tarde')).toMatchObject({ failed: 'ERR_WINDOW_CLOSED', uncertain: false })
    expect(tried()).toBe(1)
    expect(at.meta.world.reached(one.id)).toEqual([])
    const row = (await at.admin('GET', '/whatsapp')).body.find(
      ({ channel }: any) => channel === { page: 'facebook', instagram: 'instagram' }[product],
    )
    expect(row.status).toBe('CONNECTED') // a missing permission of the app, and no fault of the connection
    at.meta.world.humanAgent = true
    expect((await at.admin('POST', `/messages/${id}`, { body: 'agora sim' })).status).toBeLessThan(300)
    await eventually(
      async () => at.meta.world.reached(one.id).map(({ body, tag }) => [body, tag]),
      (all) => all.length === 1 && all[0]![1] === 'HUMAN_AGENT',
    )
  })
})
