/** Reads what docker/ says and checks it against itself and the settings. Docker is not run here: nothing is built or started. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Check, Errors } from 'typebox/schema'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { readSettings } from '#app/settings.ts'

type Service = {
  image?: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  tmpfs?: string[]
  mem_limit?: string
  logging?: { options?: Record<string, string> }
  environment?: Record<string, string | number>
  depends_on?: Record<string, { condition: string }>
  healthcheck?: object
  volumes?: string[]
  ports?: string[]
  build?: { context: string; dockerfile: string }
}

const folder = fileURLToPath(new URL('../../docker', import.meta.url))
const text = (name: string) => readFileSync(path.join(folder, name), 'utf8')
const compose = parse(text('compose.yml'), { merge: true }) as { services: Record<string, Service>; volumes: object }
const schema = JSON.parse(text('compose-schema.json')) as object
const services = Object.entries(compose.services)
const ours = services.filter(([, service]) => service.build)
const example = Object.fromEntries([...text('.env.example').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]))

it('follows the schema', () => expect(Errors(schema, compose)[1]).toEqual([]))

it.each([
  ['a misspelt key', { services: { redis: { ...compose.services.redis, healtcheck: {} } } }],
  ['an unknown restart', { services: { redis: { ...compose.services.redis, restart: 'sometimes' } } }],
  ['a command for a shell', { services: { redis: { ...compose.services.redis, command: 'redis-server' } } }],
  ['a check without an interval', { services: { redis: { ...compose.services.redis, healthcheck: { test: ['CMD', 'true'] } } } }],
])('would notice %s', (_, change) => expect(Check(schema, { ...compose, ...change })).toBe(false))

it('runs two webs, a projector and a worker behind one way in', () => {
  expect(ours.map(([name, { environment }]) => [name, environment?.ROLES])).toEqual([
    ['web-1', 'web'],
    ['web-2', 'web'],
    ['projector', 'projector'],
    ['worker', 'worker'],
  ])
  expect(services.filter(([, service]) => service.ports).map(([name]) => name)).toEqual(['proxy'])
  expect(text('Caddyfile')).toContain('reverse_proxy web-1:8080 web-2:8080 ')
})

it('gives the services of ours no right they do not need, and no log without an end', () => {
  for (const [name, service] of ours)
    expect([name, service.read_only, service.cap_drop, service.security_opt, service.tmpfs]).toEqual([
      ...[name, true, ['ALL'], ['no-new-privileges:true'], ['/tmp']],
    ])
  for (const [name, { logging, mem_limit }] of services)
    expect([name, logging?.options?.['max-size'], mem_limit]).toEqual([name, '20m', expect.any(String)])
})

it('pins every image to a release, and publishes nothing that is for operators', () => {
  for (const [name, { image = '', build }] of services)
    if (!build) expect([name, image]).toEqual([name, expect.stringMatching(/:[^:]*\d+\.\d+/)])
  expect(text('Caddyfile')).toMatch(/@private path \/metrics [^\n]*\/docs [^\n]*\n\s*respond @private 404/)
})

it('waits only for services that exist and say when they are healthy', () => {
  const waits = services.flatMap(([name, { depends_on = {} }]) =>
    Object.entries(depends_on).map(([on, { condition }]) => ({ name, on, condition })),
  )
  const wrong = waits.filter(({ on, condition }) => condition !== 'service_healthy' || !compose.services[on]?.healthcheck)
  expect(waits.length).toBeGreaterThan(0)
  expect(wrong).toEqual([])
})

it('uses every volume it declares, no other, and one for the media of all roles', () => {
  const used = new Set(services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]!)))
  const named = [...used].filter((name) => !name.startsWith('.'))
  expect(named.sort()).toEqual(Object.keys(compose.volumes).sort())
  for (const [, service] of ours) expect(service.volumes).toContain('media:/data')
  for (const file of [...used].filter((name) => name.startsWith('.'))) expect(existsSync(path.join(folder, file))).toBe(true)
})

it('explains every variable in .env.example, with the same default', () => {
  const variables = [...text('compose.yml').matchAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g)]
  expect([...new Set(variables.map(([, name]) => name!))].sort()).toEqual(Object.keys(example).sort())
  for (const [, name, kind, value] of variables) expect([name, example[name!]]).toEqual([name, kind === '-' ? value : ''])
})

it('gives each role settings that are taken', () => {
  const filled: Record<string, string> = { ...example, MASTER_KEY: randomBytes(32).toString('base64'), POSTGRES_PASSWORD: 'hush' }
  for (const [, { environment = {} }] of ours) {
    const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filledIn(String(value), filled)]))
    expect(readSettings(env)).toMatchObject({ host: '0.0.0.0', port: 8080, dataDir: '/data', demo: false, roles: [env.ROLES] })
    expect(readSettings(env)).toMatchObject({ databaseUrl: 'postgres://guiche:hush@postgres:5432/guiche', redisUrl: 'redis://redis:6379' })
    expect(readSettings(env).eventstoreUrl).toBe('esdb://eventstore:2113?tls=false')
  }
})

const filledIn = (value: string, env: Record<string, string>) => value.replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) => env[name]!)

it('names images by version, and the service an address of the same network', () => {
  expect(example.EVENTSTORE_IMAGE).toBe('eventstore/eventstore:23.10.0-bookworm-slim')
  expect(text('Dockerfile').match(/^FROM \S+/gm)).toEqual(Array(3).fill('FROM node:24-bookworm-slim'))
})

it('builds an image that is not root, says how it feels, and holds what the server imports', () => {
  const dockerfile = text('Dockerfile')
  expect(dockerfile).toMatch(/^USER node$/m)
  expect(dockerfile).toMatch(/^HEALTHCHECK [\s\S]*\/api\/health/m)
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  for (const layer of ['app', 'domain', 'projections', 'migrations']) expect(last).toContain(`\nCOPY ${layer} ${layer}\n`)
  const ignored = text('Dockerfile.dockerignore')
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names!.split(' '))
  for (const name of copied) expect(ignored).toContain(`\n!${name}\n`)
})

it('asks Prometheus for what the server tells, and no other name', () => {
  const { groups } = parse(text('alerts.yml')) as {
    groups: { rules: { alert: string; expr: string; for: string; annotations: { summary: string } }[] }[]
  }
  const rules = groups.flatMap((group) => group.rules)
  const told = readFileSync(path.join(folder, '../app/http/health.ts'), 'utf8')
  for (const { alert, expr, for: during, annotations } of rules) {
    expect([alert, during, annotations.summary]).toEqual([
      expect.stringMatching(/^Guiche[A-Z]/),
      expect.stringMatching(/^\d+m$/),
      expect.any(String),
    ])
    for (const [name] of expr.matchAll(/\bguiche_\w+/g))
      expect([name, told.includes(`'${name.replace(/_(count|bucket|sum)$/, '')}'`)]).toEqual([name, true])
  }
  expect(rules.length).toBeGreaterThan(0)
})

it('gives the unit of systemd settings that are taken, and secrets by file alone', () => {
  const unit = text('guiche.service')
  const env = Object.fromEntries(
    [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs]) => pairs!.split(' ').map((pair) => pair.split('='))),
  )
  const loaded = [...unit.matchAll(/^LoadCredential=([\w-]+):/gm)].map(([, name]) => `%d/${name}`)
  const { MASTER_KEY_FILE, DATABASE_URL_FILE, ...plain } = env
  expect([MASTER_KEY_FILE, DATABASE_URL_FILE].every((file) => loaded.includes(file))).toBe(true)
  const stores = { MASTER_KEY: randomBytes(32).toString('base64'), DATABASE_URL: 'postgres://localhost/guiche' }
  expect(readSettings({ ...plain, ...stores })).toMatchObject({ host: '127.0.0.1', dataDir: '/var/lib/guiche', demo: false })
})
