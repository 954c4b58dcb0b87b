import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* A change names only the fields that it changes, so two users who change different fields both keep theirs. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const ask = (method: string, path: string, body?: object) => app.as('admin')(method, path, body)
const lane = { name: 'Duas mãos', color: '#0a0b0c', kanban: 1, timeLane: 3, greetingMessageLane: 'Oi' }
const plain: [string, string, object | (() => object), object][] = [
  ['queue', '/queue', { name: 'Duas mãos', color: '#0a0b0c', greetingMessage: 'Olá', orderQueue: 7 }, { name: 'Duas mãos dadas' }],
  ['tag', '/tags', () => ({ ...lane, nextLaneId: app.company.tags.pista }), { color: '#0d0e0f' }],
  ['quick reply', '/quick-messages', { shortcode: 'maos', message: 'Duas', geral: true, visao: true }, { message: 'Três' }],
  [
    'contact',
    '/contacts',
    { name: 'Duas Mãos', number: '5511955550101', email: 'a@b.test', disableBot: true, acceptAudioMessage: false },
    { name: 'Três Mãos' },
  ],
]

describe.each(plain)('a %s', (_, path, given, change) => {
  it('keeps fields that a change does not name, and an empty change alters nothing', async () => {
    const whole = typeof given === 'function' ? given() : given
    const made = (await ask('POST', path, whole)).body
    const changed = await ask('PUT', `${path}/${made.id}`, change)
    expect(changed).toMatchObject({ status: 200, body: { ...whole, ...change } })
    expect(await ask('PUT', `${path}/${made.id}`, {})).toMatchObject({ status: 200, body: { ...whole, ...change } })
    expect((await ask('PUT', `${path}/${made.id}`, { surprise: 1 })).status).toBe(400)
    expect((await ask('PUT', `${path}/2147483647`, {})).status).toBe(404)
  })
})

it('a contact keeps its lanes and all tags that a change neither adds nor removes', async () => {
  const { tags, contacts } = app.company
  const name = ({ body }: { body: any }) => new Set(body.tags.map((tag: { id: number }) => tag.id))
  const change = (added: number[], taken: number[]) => ask('PUT', `/contacts/${contacts.joao}/tags`, { added, taken })
  await change([tags.vip], [])
  expect(name(await change([tags.novo], []))).toEqual(new Set([tags.vip, tags.novo]))
  expect(name(await change([tags.novo], [tags.vip, tags.vip]))).toEqual(new Set([tags.novo]))
  expect(name(await change([tags.deles, tags.pista], []))).toEqual(new Set([tags.novo]))
})
