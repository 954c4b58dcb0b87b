import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readSettings, SettingsFault } from '#app/settings.ts'

const key = randomBytes(32)
const outside = { DATABASE_URL: 'postgres://app:hush@db:5432/guiche', MASTER_KEY: key.toString('base64') }

function faults(env: Record<string, string>): string[] {
  try {
    readSettings(env)
  } catch (error) {
    if (error instanceof SettingsFault) return error.faults
    throw error
  }
  return []
}

it('needs nothing for a first start', () =>
  expect(readSettings({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    dataDir: path.resolve('.data'),
    databaseUrl: null,
    eventstoreUrl: null,
    redisUrl: null,
    roles: ['web', 'projector', 'worker'],
    demo: true,
    sandbox: true,
    masterKey: null,
    logLevel: 'info',
    meetingBaseUrl: 'https://meet.jit.si',
    hoursCloseTicketsAuto: 24,
    trustProxy: 'loopback',
    publicUrl: null,
  }))

it('reads every variable', () =>
  expect(
    readSettings({
      ...outside,
      PORT: '0',
      HOST: '::1',
      DATA_DIR: '/srv/guiche',
      EVENTSTORE_URL: 'esdb+discover://a:2113,b:2113?tls=false',
      REDIS_URL: 'rediss://:hush@cache:6379',
      ROLES: ' worker, web,web ',
      DEMO: '0',
      SANDBOX: '1',
      LOG_LEVEL: 'debug',
      MEETING_BASE_URL: 'https://meet.example.org/',
      PUBLIC_URL: 'http://inbox.example.org',
    }),
  ).toEqual({
    port: 0,
    host: '::1',
    dataDir: '/srv/guiche',
    databaseUrl: outside.DATABASE_URL,
    eventstoreUrl: 'esdb+discover://a:2113,b:2113?tls=false',
    redisUrl: 'rediss://:hush@cache:6379',
    roles: ['web', 'worker'],
    demo: false,
    sandbox: true,
    masterKey: key,
    logLevel: 'debug',
    meetingBaseUrl: 'https://meet.example.org',
    hoursCloseTicketsAuto: 24,
    trustProxy: 'loopback',
    publicUrl: 'http://inbox.example.org',
  }))

it('takes an empty variable as an absent one', () => {
  const { redisUrl, port, roles } = readSettings({ REDIS_URL: '', PORT: ' ', ROLES: '' })
  expect({ redisUrl, port, roles: roles.length }).toEqual({ redisUrl: null, port: 8080, roles: 3 })
})

it('shows nothing of a demo on a database of its own', () => expect(readSettings(outside)).toMatchObject({ demo: false, sandbox: false }))

it('lets the sandbox follow the demo', () => expect(readSettings({ ...outside, DEMO: '1' })).toMatchObject({ demo: true, sandbox: true }))

it('takes the key as hex or as base64', () => {
  expect(readSettings({ MASTER_KEY: key.toString('hex') }).masterKey).toEqual(key)
  expect(readSettings({ MASTER_KEY: key.toString('base64url') }).masterKey).toEqual(key)
})

it.each(['abc', '-1', '65536', '80.5', '0x50', '1e3'])('refuses the port %s', (PORT) =>
  expect(faults({ PORT })).toEqual([`PORT: must be a whole number from 0 to 65535, got "${PORT}"`]),
)

it.each([
  ['ROLES', 'web,cook', 'ROLES: must be a comma list of web, projector, worker, got "web,cook"'],
  ['ROLES', ',', 'ROLES: must be a comma list of web, projector, worker, got ","'],
  ['DEMO', 'yes', 'DEMO: must be 1 or 0, got "yes"'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL: must be fatal, error, warn, info, debug, trace or silent, got "loud"'],
  ['HOST', 'a b', 'HOST: must be a host name or an address, got "a b"'],
  ['PUBLIC_URL', 'inbox.example.org', 'PUBLIC_URL: must be a URL such as https://inbox.example.org'],
])('says what is wrong with %s=%s', (name, text, line) => expect(faults({ [name]: text })).toEqual([line]))

it('asks for a key beside a database, and says how to make one', () => {
  const [line, ...more] = faults({ DATABASE_URL: outside.DATABASE_URL })
  expect(more).toEqual([])
  expect(line).toMatch(/^MASTER_KEY: is needed beside DATABASE_URL; make one, once, with: node -e /)
})

it('tells every fault at once and no secret', () => {
  const hush = 'hush-hush'
  const lines = faults({
    PORT: 'x',
    MASTER_KEY: hush,
    DATABASE_URL: `mysql://app:${hush}@db`,
    REDIS_URL: `http://:${hush}@cache`,
    EVENTSTORE_URL: `https://admin:${hush}@log`,
    PUBLIC_URL: `ftp://me:${hush}@inbox`,
    MEETING_BASE_URL: `me:${hush}`,
  })
  expect(lines.map((line) => line.split(':')[0])).toEqual([
    'PORT',
    'DATABASE_URL',
    'EVENTSTORE_URL',
    'REDIS_URL',
    'MASTER_KEY',
    'MEETING_BASE_URL',
    'PUBLIC_URL',
  ])
  expect(lines.join('\n')).not.toContain(hush)
})
