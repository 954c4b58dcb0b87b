import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene } from '#tests/http/scene.ts'
import { password } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { type Attacker, attacker, secrets } from './attacker.ts'
import { byInsiders } from './attacks-by-insiders.ts'
import { byStrangers } from './attacks-by-strangers.ts'

/* Repeats every attack that once succeeded, over the wire, far enough to show that it fails now. */
let app: TestApp
let on: Attacker
const lines: string[] = []

beforeAll(async () => {
  app = await startTestApp({ config: { demo: true, docs: false }, log: (line) => void lines.push(line) })
  const scene = await openScene(app)
  await scene.message(scene.theirs.ticket, 'rita', { body: secrets.theirs })
  on = attacker(app, scene)
  await app.tokenOf('dulce') // before the attacks guess her password
})
afterAll(async () => {
  for (const socket of on.sockets) socket.destroy()
  await app.stop()
})

/* The attacks are listed before the app starts, and run afterwards. */
const named = (of: (on: Attacker) => object) => Object.keys(of({} as Attacker))
const played = [byStrangers, byInsiders].flatMap((of) => named(of).map((name) => ({ name, of })))

it.each(played)('the attack $name fails', async ({ name, of }) => {
  await of(on)[name]![1]()
})

it('every finding is repeated as an attack', () => {
  const findings = Array.from({ length: 20 }, (_, n) => `F${n + 1}`).filter((name) => name !== 'F10')
  expect(played.map(({ name }) => name)).toEqual(expect.arrayContaining(findings))
})
it('no attack causes a server error', () => {
  expect(on.heard.length).toBeGreaterThan(60)
  expect(on.heard.filter(({ status }) => status >= 500)).toEqual([])
})
it('no answer contains texts of another company', () => {
  const ours = on.heard.filter(({ who }) => who !== 'rita' && who !== 'root')
  expect(ours.filter(({ text }) => text.includes(secrets.theirs))).toEqual([])
})
it('the log contains the calls and no secret', async () => {
  const all = lines.join('')
  expect(all).toContain('"Request completed"')
  const tokens = await Promise.all((['ana', 'bruno', 'carla'] as const).map((who) => app.tokenOf(who)))
  for (const secret of [...Object.values(secrets), password, ...tokens, '5511955550001', '5511987654321'])
    expect({ secret, said: all.includes(secret) }).toEqual({ secret, said: false })
})
