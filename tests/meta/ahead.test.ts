import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '#tests/support/meta/world.ts'
import { eventually } from '#tests/support/wait.ts'
import { startAtAll, type WithMeta } from './house.ts'

/* Meta redelivers what was not accepted, in any order: a change or a receipt may arrive before its message or before the answer of its send. */
let at: WithMeta
const said: string[] = []
beforeAll(async () => {
  at = await startAtAll({ log: (line) => void said.push(line) })
})
afterAll(async () => at?.stop())

type Product = 'whatsapp' | 'page' | 'instagram'
const accounts = { whatsapp: '1001', page: '2001', instagram: '3001' }
let people = 0
function customer(name: string, product: Product) {
  const account = accounts[product]
  const cloud = at.meta.whatsapp
  const who: Person = product === 'whatsapp' ? cloud.person(name, `55119${String(83_000_000 + ++people)}`) : at.meta[product].person(name)
  const scoped = product === 'whatsapp' ? null : at.meta[product]
  return {
    who,
    says: (body: string): string => (scoped ? scoped.text(account, who, body) : cloud.text(account, who, body)),
    does: {
      reaction: (mid: string) =>
        scoped
          ? scoped.event(account, who, { reaction: { mid, action: 'react', reaction: 'love', emoji: '❤' } })
          : cloud.says(account, who, { type: 'reaction', reaction: { message_id: mid, emoji: '❤' } }),
      edit: (mid: string) =>
        scoped
          ? scoped.event(account, who, { message_edit: { mid, text: 'bom dia', num_edit: 1 } })
          : cloud.says(account, who, {
              type: 'edit',
              edit: { original_message_id: mid, message: { type: 'text', text: { body: 'bom dia' } } },
            }),
      removal: (mid: string) =>
        scoped
          ? scoped.event(account, who, { message: { mid, is_deleted: true } })
          : cloud.says(account, who, { type: 'revoke', revoke: { original_message_id: mid } }),
    },
  }
}
const shown = {
  reaction: ({ reactions }: any) => reactions?.length === 1 && reactions[0].emoji === '❤',
  edit: ({ isEdited, body }: any) => isEdited === true && body === 'bom dia',
  removal: ({ isDeleted }: any) => isDeleted === true,
}
const isOpen = async (name: string) =>
  (await at.house.db.selectFrom('inboundEvent').select('id').where('externalId', 'like', `${name}%`).where('doneAt', 'is', null).execute())
    .length === 1
/** Another process takes over the connections. */
const takenOver = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'guiche leases'`.execute(
    at.house.db,
  )

describe.each(['whatsapp', 'page', 'instagram'] as const)('a customer of %s', (product) => {
  it.each(['reaction', 'edit', 'removal'] as const)('%s: applied to its message, although it was reported first', async (what) => {
    const name = `Iva ${product} ${what}`
    const iva = customer(name, product)
    at.meta.hooks.hold()
    const first = iva.says('bom dai')
    iva.does[what](first)
    iva.says('tudo bem?')
    at.meta.hooks.release('reversed')
    const { messages } = await at.shows(name, (all) => all.length === 2 && all.some(shown[what]))
    expect(messages.map((one) => shown[what](one))).toEqual([false, true]) // what was reported first comes first
    await at.house.settled()
  })
})

it('a WhatsApp receipt that precedes the answer of a send finds its message by our id', async () => {
  const lis = customer('Lis Adiantada', 'whatsapp')
  lis.says('tem?')
  const { id } = await at.shows('Lis Adiantada', (all) => all.length === 1)
  await at.admin('PUT', `/tickets/${id}`, { status: 'open' })
  const got = () => at.meta.world.reached(lis.who.id)
  const shownAt = (ack: number) => at.shows('Lis Adiantada', (all) => all.at(-1)?.ack === ack)
  const { promise: overtaken, resolve, reject } = Promise.withResolvers<unknown>()
  at.meta.world.echoesFirst = async () => {
    at.meta.world.echoesFirst = null
    await shownAt(1)
    at.meta.whatsapp.mark(got()[0]!, 'read')
    await shownAt(3).then(resolve, reject)
  }
  expect((await at.admin('POST', `/messages/${id}`, { body: 'tem sim' })).status).toBeLessThan(300)
  await overtaken
  await at.house.settled()
  expect((await at.thread('Lis Adiantada')).messages.at(-1)).toMatchObject({ body: 'tem sim', ack: 3, uncertain: false, elsewhere: false })
  expect(got()).toHaveLength(1)
})

it('other messages are not delayed by a deferred change, which survives a change of process', async () => {
  const nei = customer('Nei Adiantado', 'page')
  at.meta.hooks.hold()
  const late = nei.says('bom dai')
  at.meta.hooks.courses.push({ delayMs: 3000 })
  at.meta.hooks.release()
  nei.does.edit(late)
  nei.says('alguém aí?')
  await at.shows('Nei Adiantado', (all) => all.length === 1 && all[0].body === 'alguém aí?')
  expect(await isOpen(late)).toBe(true)
  await takenOver()
  const { messages } = await at.shows('Nei Adiantado', (all) => all.length === 2)
  await at.shows('Nei Adiantado', (all) => all.some(shown.edit))
  expect(messages.map(({ body }) => body)).toContain('alguém aí?')
})

it('several deferred changes of one message are applied in the order of their times', async () => {
  const rui = customer('Rui Apressado', 'instagram')
  const event = (what: object) => at.meta.instagram.event('3001', rui.who, what)
  at.meta.hooks.hold()
  const mid = rui.says('um')
  for (const [n, text] of ['dois', 'três', 'quatro'].entries()) {
    event({ timestamp: at.meta.world.now() + n, message_edit: { mid, text, num_edit: n + 1 } })
    event({ timestamp: at.meta.world.now() + n, reaction: { mid, action: n === 2 ? 'unreact' : 'react', emoji: ['👍', '❤', ''][n] } })
  }
  at.meta.hooks.release('reversed')
  await at.meta.hooks.quiet()
  await at.house.settled()
  const { messages } = await at.thread('Rui Apressado')
  expect(messages.map(({ body, reactions }) => [body, reactions ?? []])).toEqual([['quatro', []]])
})

it('an older edit that is redelivered changes nothing', async () => {
  const ivo = customer('Ivo Insistente', 'page')
  const mid = ivo.says('um')
  await at.shows('Ivo Insistente', (all) => all.length === 1)
  const edit = (n: number, text: string) =>
    at.meta.page.event('2001', ivo.who, { timestamp: at.meta.world.now() + n, message_edit: { mid, text, num_edit: n } })
  at.meta.hooks.hold()
  edit(1, 'dois')
  edit(2, 'três')
  at.meta.hooks.release('reversed')
  await at.meta.hooks.quiet()
  await at.house.settled()
  const { messages } = await at.thread('Ivo Insistente')
  expect(messages.map(({ body, isEdited }) => [body, isEdited])).toEqual([['três', true]])
})

it('a change of a message that never arrives is dropped after minutes, with a log entry', async () => {
  const ada = customer('Ada Antiga', 'page')
  ada.says('oi')
  await at.shows('Ada Antiga', (all) => all.length === 1)
  ada.does.removal('m_before_all_this')
  await eventually(() => isOpen('m_before_all_this'), Boolean)
  const due = at.house.db.updateTable('inboundEvent').where('externalId', 'like', 'm_before_all_this%')
  await due.set({ receivedAt: sql<string>`now() - interval '9 minutes'` }).execute()
  await takenOver()
  ada.says('e agora?')
  await at.shows('Ada Antiga', (all) => all.length === 2)
  expect(await isOpen('m_before_all_this')).toBe(true)
  await due.set({ receivedAt: sql<string>`now() - interval '11 minutes'` }).execute()
  await takenOver()
  await at.house.settled()
  expect(said.filter((line) => line.includes('target message did not arrive'))).toHaveLength(1)
})
