import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '#tests/support/wait.ts'
import { own, startAtAll, type WithMeta } from './house.ts'

/* Information from Meta beside messages: what a conversation is about, changed numbers, and the app that has a conversation. */
let at: WithMeta
beforeAll(async () => {
  at = await startAtAll()
})
afterAll(async () => at?.stop())

const story = async () => {
  const picture = sharp({ create: { width: 4, height: 3, channels: 3, background: 'teal' } })
  return at.meta.media.open(await picture.png().toBuffer(), 'image/png')
}
/** Waits until the webhook is recorded, because Meta keeps no order. */
const taken = () => at.meta.hooks.quiet()
const open = (ticketId: number) => at.admin('PUT', `/tickets/${ticketId}`, { status: 'open', queueId: at.house.company.queues.vendas })

it('a reply to a story is shown with the story, and a mention in a story is marked', async () => {
  const lia = at.meta.instagram.person('Lia Story')
  at.meta.instagram.text('3001', lia, 'amei!', { reply_to: { story: { id: '17', url: await story() } } })
  await taken()
  at.meta.instagram.attachment('3001', lia, 'story_mention', await story())
  await taken()
  at.meta.instagram.text('3001', lia, 'e esta?', { reply_to: { story: { id: '18', url: `${at.meta.url}/files/gone` } } })
  const { messages } = await at.shows('Lia Story', (all) => all.length === 3)
  const nothing = { title: '', text: '', url: null }
  expect(messages.map(({ body, mediaType, media, about }) => [body, mediaType, media?.width ?? null, about])).toEqual([
    ['amei!', 'image', 4, { of: 'story', ...nothing }],
    ['', 'image', 4, { of: 'mention', ...nothing }],
    ['e esta?', 'chat', null, { of: 'story', ...nothing }],
  ])
})

it('a contact who came by an ad or a link is shown with it, on every product', async () => {
  const ivo = at.meta.instagram.person('Ivo Anúncio')
  const ad = {
    ref: 'inverno',
    ad_id: '6',
    source: 'ADS',
    type: 'OPEN_THREAD',
    ads_context_data: { ad_title: 'Casacos', photo_url: 'https://ads.test/6' },
  }
  at.meta.instagram.text('3001', ivo, 'tem azul?', { referral: ad })
  const [byInstagram] = (await at.shows('Ivo Anúncio', (all) => all.length === 1)).messages
  expect(byInstagram.about).toEqual({ of: 'ad', title: 'Casacos', text: 'inverno', url: 'https://ads.test/6' })

  const eva = at.meta.page.person('Eva Link')
  at.meta.page.event('2001', eva, {
    referral: { ref: 'promo-12', source: 'SHORTLINK', type: 'OPEN_THREAD', referer_uri: 'javascript:alert(1)' },
  })
  await taken()
  at.meta.page.event('2001', eva, {
    postback: { mid: 'm_p', title: 'Começar', payload: 'x', referral: { ref: 'vitrine', source: 'SHORTLINK' } },
  })
  await taken()
  at.meta.page.event('2001', eva, { optin: { type: 'notification_messages', title: 'Novidades', payload: 'n' } })
  await taken()
  at.meta.page.event('2001', eva, { referral: { source: 'SHORTLINK', type: 'OPEN_THREAD' } }) // without content to show
  await taken()
  at.meta.page.text('2001', eva, 'fim')
  const { messages } = await at.shows('Eva Link', (all) => all.at(-1)?.body === 'fim')
  expect(messages.map(({ body, about }) => [body, about])).toEqual([
    ['promo-12', { of: 'link', title: '', text: 'promo-12', url: null }],
    ['Começar', { of: 'link', title: '', text: 'vitrine', url: null }],
    ['Novidades', { of: 'optin', title: 'Novidades', text: '', url: null }],
    ['fim', null],
  ])

  const ugo = at.meta.whatsapp.person('Ugo Anúncio', '5511986000001')
  const referral = {
    source_type: 'ad',
    source_id: '1',
    source_url: 'https://fb.me/1',
    headline: 'Frete grátis',
    body: 'Só hoje',
    ctwa_clid: 'c',
  }
  at.meta.whatsapp.says(own.phoneNumberId, ugo, { type: 'text', text: { body: 'quero' }, referral })
  const [byWhatsapp] = (await at.shows('Ugo Anúncio', (all) => all.length === 1)).messages
  expect(byWhatsapp.about).toEqual({ of: 'ad', title: 'Frete grátis', text: 'Só hoje', url: 'https://fb.me/1' })
})

it('a contact with a changed number keeps the ticket, and the old number is a new contact', async () => {
  const { whatsapp } = at.meta
  const [before, after] = ['5511986000010', '5511986000011']
  const rui = whatsapp.person('Rui Mudou', before)
  whatsapp.text(own.phoneNumberId, rui, 'oi')
  const { id } = await at.shows('Rui Mudou', (all) => all.length === 1)
  await open(id)
  const moved = whatsapp.moves(own.phoneNumberId, rui, after)
  await taken()
  whatsapp.text(own.phoneNumberId, moved, 'sou eu, no número novo')
  const now = await at.shows('Rui Mudou', (all) => all.length === 2)
  expect([now.id, now.messages[1].body]).toEqual([id, 'sou eu, no número novo'])
  const numbers = () => at.house.db.selectFrom('contact').select('number').where('name', '=', 'Rui Mudou').execute()
  expect(await numbers()).toEqual([{ number: after }])
  await at.admin('POST', `/messages/${id}`, { body: 'anotado' })
  await eventually(
    async () => at.meta.world.reached(moved.id).map(({ body }) => body),
    (all) => all.includes('anotado'),
  )
  const other = whatsapp.person('Outra Dona', before)
  whatsapp.text(own.phoneNumberId, other, 'comprei este número')
  expect((await at.shows('Outra Dona', (all) => all.length === 1)).id).not.toBe(id)
  expect(await numbers()).toEqual([{ number: after }])
})

it('a contact known early by a new number is one person with the served ticket (A-TICKET-05)', async () => {
  const { whatsapp } = at.meta
  const [before, after] = ['5511986000020', '5511986000021']
  const nara = whatsapp.person('Nara Antes', before)
  whatsapp.text(own.phoneNumberId, nara, 'oi')
  const { id } = await at.shows('Nara Antes', (all) => all.length === 1)
  await open(id)
  const early = whatsapp.person('Nara Depois', after)
  whatsapp.text(own.phoneNumberId, early, 'troquei de número')
  const second = await at.shows('Nara Depois', (all) => all.length === 1)
  whatsapp.moves(own.phoneNumberId, nara, early)
  await taken()
  whatsapp.text(own.phoneNumberId, early, 'sou eu')
  expect((await at.shows('Nara Antes', (all) => all.length === 2)).messages[1].body).toBe('sou eu')
  const [one, other] = await at.house.db
    .selectFrom('contact')
    .select(['id', 'number'])
    .where('name', 'like', 'Nara %')
    .orderBy('id')
    .execute()
  expect([one!.number, other!.number]).toEqual([after, after])
  expect((await at.admin('GET', `/contacts/${one!.id}/duplicates`)).body).toMatchObject([{ id: other!.id }])
  expect((await open(second.id)).body.id).toBe(id) // A-TICKET-05: the older one is served, so it is the answer
  await at.admin('POST', `/messages/${id}`, { body: `anotado em ${id}` })
  await at.admin('PUT', `/tickets/${id}`, { status: 'closed' })
  expect((await open(second.id)).body).toMatchObject({ id: second.id, status: 'open' })
  await at.admin('POST', `/messages/${second.id}`, { body: `anotado em ${second.id}` })
  await eventually(
    async () => at.meta.world.reached(early.id).map(({ body }) => body),
    (all) => [id, second.id].every((ticketId) => all.includes(`anotado em ${ticketId}`)),
  )
  const stranger = whatsapp.person('Novo Dono', before)
  whatsapp.text(own.phoneNumberId, stranger, 'este número agora é meu')
  expect([id, second.id]).not.toContain((await at.shows('Novo Dono', (all) => all.length === 1)).id)
})

it('an answer takes over a conversation from another app of the page, or fails with a reason', async () => {
  const teo = at.meta.page.person('Teo Passado')
  at.meta.page.standby('2001', teo, 'com o outro app')
  at.meta.world.wrote('2001', teo.id)
  const { id } = await at.shows('Teo Passado', (all) => all.length === 1)
  await open(id)
  await at.house.settled()
  at.meta.world.elsewhere.add(`2001/${teo.id}`)
  await at.admin('POST', `/messages/${id}`, { body: 'agora sou eu' })
  await eventually(
    async () => at.meta.world.reached(teo.id).map(({ body }) => body),
    (all) => all.includes('agora sou eu'),
  )
  at.meta.world.elsewhere.add(`2001/${teo.id}`)
  at.meta.world.mayTake = false
  await at.admin('POST', `/messages/${id}`, { body: 'não chega' })
  await at.shows('Teo Passado', (all) => all.at(-1)?.failed === 'ERR_CHANNEL_ELSEWHERE')
  at.meta.world.mayTake = true
})

it.each([
  ['page', '2001'],
  ['instagram', '3001'],
] as const)('a customer of the %s sees that what they wrote was read', async (product, account) => {
  const name = `Lida ${product}`
  const lida = at.meta[product].person(name)
  at.meta[product].text(account, lida, 'alguém leu?')
  const { id, messages } = await at.shows(name, (all) => all.length === 1)
  await open(id)
  const seen = () => at.meta.seen.filter(({ person }) => person === lida.id)
  expect(seen()).toEqual([])
  await at.admin('POST', `/tickets/${id}/seen`, { messageId: messages[0].id })
  await eventually(
    async () => seen(),
    (all) => all.some((one) => one.account === account),
  )
})
