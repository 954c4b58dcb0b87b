import { afterAll, beforeAll, expect, it } from 'vitest'
import { messageKeyOf } from '#app/inbound/same-id.ts'
import { startWithMeta, type WithMeta } from './house.ts'

/* A-INBOUND-02: what the business does in its own app on a phone, and messages named by another of their ids. */
let at: WithMeta
beforeAll(async () => {
  at = await startWithMeta()
  await at.cloud()
})
afterAll(async () => at?.stop())

const account = '1001'
const phone = () => at.meta.whatsapp
/** A packed id as Meta makes it: the number or user id, and the key of the message. */
const packed = (who: string, key: string) =>
  `wamid.${Buffer.concat([Buffer.of(0x1c, 0x18, who.length), Buffer.from(who), Buffer.of(0x15, 2, 0, 0x12, 0x18, key.length), Buffer.from(key), Buffer.of(0)]).toString('base64')}`
const card = (name: string) => ({ name: { formatted_name: name }, phones: [{ phone: '+55 11 98888-0000' }] })

it('messages and actions of the business in its own app are recorded', async () => {
  const ana = phone().person('Ana Ecos', '5511981110001')
  const [asked] = phone().says(account, ana, { type: 'text', text: { body: 'tem?' } })
  await at.shows('Ana Ecos', (all) => all.length === 1)
  const typed = phone().typed(account, ana, { type: 'text', text: { body: 'temos' }, context: { id: asked } })
  await at.shows('Ana Ecos', (all) => all.length === 2) // two webhooks of one second may arrive in either order
  phone().typed(account, ana, { type: 'contacts', contacts: [card('Beto'), card('Caio')] })
  phone().typed(account, ana, { type: 'reaction', reaction: { message_id: asked, emoji: '👍' } })
  await at.shows('Ana Ecos', (all) => all.length === 4)
  phone().typed(account, ana, {
    type: 'edit',
    edit: { original_message_id: typed, message: { type: 'text', text: { body: 'temos dois' } } },
  })
  const { messages } = await at.shows('Ana Ecos', (all) => all.length === 4 && all[1].isEdited && all[0].reactions.length === 1)
  expect(messages.map(({ body, mediaType, fromMe }) => [body, mediaType, fromMe])).toEqual([
    ['tem?', 'chat', false],
    ['temos dois', 'chat', true],
    ['', 'contactMessage', true],
    ['', 'contactMessage', true],
  ])
  expect(messages[0].reactions).toMatchObject([{ emoji: '👍', from: 'us' }])
  expect(messages[1].quotedMsg).toMatchObject({ body: 'tem?' })
  phone().typed(account, ana, { type: 'revoke', revoke: { original_message_id: typed } })
  await at.shows('Ana Ecos', (all) => all.length === 4 && all[1].isDeleted)
})

it.each([
  ['packed', packed],
  ['with a separator', (who: string, key: string) => `wamid.${who}_${key}`],
])('a change that names its message by another id is applied, %s', async (how, idOf) => {
  const name = `Bia ${how}`
  const bia = phone().person(name, `551198222${how.length}001`.slice(0, 13))
  const known = (key: string) => idOf(bia.phone!, `3A0123456789ABCD${how.length}${key}`)
  const other = (key: string) => idOf('BR.1234567890', `3A0123456789ABCD${how.length}${key}`)
  phone().says(account, bia, ...['AA', 'BB', 'CC'].map((key) => ({ type: 'text', text: { body: key }, id: known(key) })))
  await at.shows(name, (all) => all.length === 3)
  phone().says(
    account,
    bia,
    { type: 'text', text: { body: 'sobre a primeira' }, context: { id: other('AA') } },
    { type: 'reaction', reaction: { message_id: other('AA'), emoji: '❤' } },
    { type: 'edit', edit: { original_message_id: other('BB'), message: { type: 'text', text: { body: 'BB2' } } } },
    { type: 'revoke', revoke: { original_message_id: other('CC') } },
  )
  const { messages } = await at.shows(name, (all) => all.length === 4 && all[2].isDeleted && all[1].isEdited && all[0].reactions.length > 0)
  expect(messages.map(({ body }) => body).slice(0, 2)).toEqual(['AA', 'BB2'])
  expect(messages[3].quotedMsg).toMatchObject({ body: 'AA' })
})

it('two different messages have different keys', () => {
  expect(messageKeyOf(packed('5511', '3EB0AAAABBBB'))).toBe('3EB0AAAABBBB')
  expect(messageKeyOf('wamid.HBgNNTUxMTk4')).toBeNull()
  expect(messageKeyOf('wamid.71')).toBeNull()
  expect(messageKeyOf('3EB0AAAABBBB')).toBeNull()
})

it('an unknown kind of message of the business shows its kind', async () => {
  const caio = phone().person('Caio Ecos', '5511981110009')
  phone().says(account, caio, { type: 'text', text: { body: 'oi' } })
  await at.shows('Caio Ecos', (all) => all.length === 1)
  phone().typed(account, caio, { type: 'hologram', hologram: { text: 'de longe' } })
  const { messages } = await at.shows('Caio Ecos', (all) => all.length === 2)
  expect(messages[1]).toMatchObject({ fromMe: true, mediaType: 'unsupported', body: 'de longe', about: { of: 'kind', title: 'hologram' } })
})
