import { afterAll, beforeAll, expect, it } from 'vitest'
import { errors } from '#domain/errors.ts'
import { type Dice, seededRandom } from '#tests/support/seeded-random.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { at, type Described, described, type Schema, sample } from './described.ts'
import { openScene } from './scene.ts'

/* Half-valid input for existing records: what passes every check must still end in an answer or a refusal. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const seed = 5_111_998
const rounds = 1500
const budgetMs = 15_000
const texts = [
  '',
  ' ',
  'Olá',
  '\u0000',
  '\ud800',
  'x'.repeat(30_000),
  '👩‍👩‍👧‍👦'.repeat(300),
  "'; drop table ticket; --",
  '{nome}',
  '%',
  '\\',
  '<script>',
  '‮',
  '1',
  'true',
  'null',
  '2026-01-05T12:00:00Z',
  '[1,2]',
  '🇧🇷',
]
const numbers = [0, 1, -1, 2, 3, 5, 2 ** 31 - 1, 2 ** 31, 1e308, 0.5, -0]

function odd({ of, int, chance }: Dice, schema: Schema | undefined, depth = 0): unknown {
  if (schema && chance(0.55)) {
    const good = sample(schema)
    if (typeof good === 'string' && !schema.enum && chance(0.5)) return of(texts)
    if (typeof good === 'number') return of(numbers)
    if (schema.enum) return of(schema.enum)
    return good
  }
  const kinds = [() => of(texts), () => of(numbers), () => null, () => chance(0.5), () => [], () => ({})]
  if (depth < 3)
    kinds.push(
      () => Array.from({ length: int(4) }, () => odd({ of, int, chance } as Dice, schema?.items, depth + 1)),
      () => ({ id: of(numbers), [of(texts)]: of(texts) }),
    )
  return of(kinds)()
}

/** An event that names a message waits ten minutes for it (`app/inbound/deferred-events.ts`), longer than this test. */
const waits = ({ path }: Described) => path.startsWith('/api/sandbox/') && path.endsWith('/marks')
const targetFields = ['deletes', 'edits', 'reaction']

it(`answers or refuses ${rounds} half-valid calls of seed ${seed}, and never fails`, async () => {
  const scene = await openScene(app)
  const throws = seededRandom(seed)
  // the inbound message at the end needs an unchanged connection
  const ends = ({ method, path }: Described) => method !== 'GET' && /^\/api\/(whatsapp|sandbox\/.*\/session)/.test(path)
  const calls = (await described(app)).filter((call) => !call.path.startsWith('/api/auth') && !ends(call) && !waits(call))
  const served = await scene.served()
  const real = {
    ...{
      ticketId: [served.id],
      contactId: [scene.contacts.maria],
      tagId: [scene.tags.vip],
      userId: [scene.users.admin],
      connectionId: [scene.connections.loja],
    },
    ...{ uuid: [served.uuid], number: ['5511987654321'], id: [1, 2, 3, served.id] },
  } as Record<string, (string | number)[]>
  const admin = app.as('admin')
  const codes = new Set(Object.keys(errors).map((code) => code.split('/')[0]))
  const faults: string[] = []
  const statuses = new Map<number, number>()
  const end = Date.now() + budgetMs

  async function once(call: Described): Promise<void> {
    const values = Object.fromEntries(call.params.map((name) => [name, throws.of(real[name] ?? [1])]))
    const names = Object.keys(call.query).filter(() => throws.chance(0.3))
    const query = names.map((name) => `${name}=${encodeURIComponent(String(odd(throws, call.query[name])).toWellFormed())}`).join('&')
    const fields = Object.entries(call.body?.properties ?? {})
      .filter(([name]) => !targetFields.includes(name))
      .filter(([name]) => call.body!.required?.includes(name) || throws.chance(0.4))
    const body = call.body
      ? Object.fromEntries(fields.map(([name, schema]) => [name, throws.chance(0.7) ? sample(schema) : odd(throws, schema)]))
      : undefined
    const asked = `${call.method} ${at(call, values)}${query && `?${query}`}`
    const answer = await admin(
      call.method,
      asked.split(' ')[1]!,
      body && JSON.stringify(body),
      body && { 'content-type': 'application/json' },
    )
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status >= 500 || (answer.status >= 400 && !codes.has(answer.body?.error)))
      faults.push(`${asked.slice(0, 300)} ${JSON.stringify(body)?.slice(0, 400)} → ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  let left = rounds
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      while (left-- > 0 && Date.now() < end) await once(throws.of(calls))
    }),
  )
  expect(faults).toEqual([])
  expect(app.faults).toEqual([])
  const all = [...statuses.values()].reduce((sum, n) => sum + n, 0) // a slow machine makes fewer calls
  expect(statuses.get(200), 'many must come through, or nothing was tried').toBeGreaterThan(all / 10)
  expect(statuses.get(400)).toBeGreaterThan(all / 20)
  expect((await admin('GET', '/auth/me')).status).toBe(200) // the name may have been changed by then
  await app.phone.says('5511955558888', 'ainda aí?')
  await app.settled()
})
