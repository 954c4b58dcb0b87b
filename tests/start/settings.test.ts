import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ConfigError, parseConfig, unknownVariables } from '#app/config.ts'

const key = randomBytes(32)
const outside = { DATABASE_URL: 'postgres://app:hush@db:5432/guiche', MASTER_KEY: key.toString('base64') }

function faults(env: Record<string, string>): string[] {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

it('a first start needs no variable', () =>
  expect(parseConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    dataDir: path.resolve('.data'),
    databaseUrl: null,
    eventstoreUrl: null,
    redisUrl: null,
    s3: null,
    roles: ['web', 'projector', 'worker'],
    demo: true,
    sandbox: true,
    masterKey: null,
    logLevel: 'info',
    meetingBaseUrl: 'https://meet.jit.si',
    hoursCloseTicketsAuto: 24,
    trustProxy: 'loopback',
    ...{ uploadQuotaMb: 10_240, inboundFileMb: 100 },
    userCallsPerSecond: 100,
    publicUrl: null,
    ...{ whatsappUrl: 'wss://web.whatsapp.com/ws/chat', whatsappVersionUrl: 'https://web.whatsapp.com/sw.js', whatsappWebVersion: null },
    anchorFile: null,
    erasureFile: path.resolve('.data/erasures.jsonl'),
    anchorWebhook: null,
    meta: {
      ...{ graphUrl: 'https://graph.facebook.com', graphVersion: 'v25.0', loginUrl: 'https://www.facebook.com' },
      ...{ appId: null, appSecret: null, verifyToken: null },
    },
    metricsToken: null,
    docs: true,
  }))

it.each([
  ['127.0.0.1', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.0.10', false],
])('the demonstration is on by default on %s: %s', (HOST, offered) => {
  expect(parseConfig({ HOST })).toMatchObject({ demo: offered, sandbox: offered })
  expect(parseConfig({ HOST, DEMO: '1' })).toMatchObject({ demo: true, sandbox: offered })
  expect(parseConfig({ HOST, DEMO: '1', SANDBOX: '1' })).toMatchObject({ demo: true, sandbox: true })
})

it('every variable is read', () =>
  expect(
    parseConfig({
      ...outside,
      PORT: '0',
      HOST: '::1',
      DATA_DIR: '/srv/guiche',
      EVENTSTORE_URL: 'esdb+discover://a:2113,b:2113?tls=false',
      REDIS_URL: 'rediss://:hush@cache:6379',
      MEDIA: 's3',
      S3_ENDPOINT: 'https://s3.example.org/',
      S3_BUCKET: 'guiche-files',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'AKID',
      S3_SECRET_ACCESS_KEY: 'a/secret+of=it',
      S3_PREFIX: 'one/two/',
      ROLES: ' worker, web,web ',
      DEMO: '0',
      SANDBOX: '1',
      LOG_LEVEL: 'debug',
      MEETING_BASE_URL: 'https://meet.example.org/',
      PUBLIC_URL: 'http://inbox.example.org',
      WHATSAPP_URL: 'off',
      WHATSAPP_WEB_VERSION: '2.3000.1043857760',
      WHATSAPP_VERSION_URL: 'off',
      ANCHOR_FILE: '/srv/elsewhere/anchors.jsonl',
      ERASURE_FILE: '/srv/elsewhere/erasures.jsonl',
      ANCHOR_WEBHOOK: 'https://notary.example.org/anchors?of=guiche',
      GRAPH_URL: 'http://127.0.0.1:9100/',
      GRAPH_VERSION: 'v26.0',
      META_APP_ID: '123',
      META_APP_SECRET: 'hush',
      META_VERIFY_TOKEN: 'word',
    }),
  ).toEqual({
    port: 0,
    host: '::1',
    dataDir: '/srv/guiche',
    databaseUrl: outside.DATABASE_URL,
    eventstoreUrl: 'esdb+discover://a:2113,b:2113?tls=false',
    redisUrl: 'rediss://:hush@cache:6379',
    s3: {
      ...{ endpoint: 'https://s3.example.org', bucket: 'guiche-files', region: 'eu-central-1', prefix: 'one/two/' },
      ...{ accessKeyId: 'AKID', secretAccessKey: 'a/secret+of=it' },
    },
    roles: ['web', 'worker'],
    demo: false,
    sandbox: true,
    masterKey: key,
    logLevel: 'debug',
    meetingBaseUrl: 'https://meet.example.org',
    hoursCloseTicketsAuto: 24,
    trustProxy: 'loopback',
    ...{ uploadQuotaMb: 10_240, inboundFileMb: 100 },
    userCallsPerSecond: 100,
    publicUrl: 'http://inbox.example.org',
    ...{ whatsappUrl: null, whatsappVersionUrl: null, whatsappWebVersion: [2, 3000, 1_043_857_760] },
    anchorFile: '/srv/elsewhere/anchors.jsonl',
    erasureFile: '/srv/elsewhere/erasures.jsonl',
    anchorWebhook: 'https://notary.example.org/anchors?of=guiche',
    meta: {
      ...{ graphUrl: 'http://127.0.0.1:9100', graphVersion: 'v26.0', loginUrl: 'https://www.facebook.com' },
      ...{ appId: '123', appSecret: 'hush', verifyToken: 'word' },
    },
    metricsToken: null,
    docs: true,
  }))

it('`off` as the meeting address means no meeting links (A-TICKET-20)', () =>
  expect(parseConfig({ MEETING_BASE_URL: 'off' }).meetingBaseUrl).toBeNull())

it('an empty variable counts as absent', () => {
  const { redisUrl, port, roles } = parseConfig({ REDIS_URL: '', PORT: ' ', ROLES: '' })
  expect({ redisUrl, port, roles: roles.length }).toEqual({ redisUrl: null, port: 8080, roles: 3 })
})

it('the demo is off by default with an external database', () =>
  expect(parseConfig(outside)).toMatchObject({ demo: false, sandbox: false }))

it('the sandbox is on by default only with the embedded database and the demo', () => {
  expect(parseConfig({ ...outside, DEMO: '1' })).toMatchObject({ demo: true, sandbox: false })
  expect(parseConfig({ DEMO: '0' })).toMatchObject({ demo: false, sandbox: false })
  expect(parseConfig({ DEMO: '0', SANDBOX: '1' })).toMatchObject({ demo: false, sandbox: true })
})

it('a misspelt variable is detected, and variables of other programs are ignored', () => {
  const said = (name: string) => unknownVariables({ [name]: 'hush' })
  for (const [name, meant] of [
    ['ROELS', 'ROLES'],
    ['PROT', 'PORT'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['MASTERKEY_FILE', 'MASTER_KEY_FILE'],
    ['META_SECRET', 'META_APP_SECRET'],
  ] as const)
    expect(said(name)).toEqual([`${name}: is no setting; ${meant} is`])
  for (const name of [
    'PATH',
    'HOME',
    'HOSTNAME',
    'USER',
    'TERM',
    'SHELL',
    'LANG',
    'PWD',
    'MAIL',
    'PGHOST',
    'AWS_REGION',
    'LOGNAME',
    'NODE_ENV',
    'ROLES',
  ])
    expect(said(name)).toEqual([])
})

it('the master key may be hex or base64', () => {
  expect(parseConfig({ MASTER_KEY: key.toString('hex') }).masterKey).toEqual(key)
  expect(parseConfig({ MASTER_KEY: key.toString('base64url') }).masterKey).toEqual(key)
})

it.each(['abc', '-1', '65536', '80.5', '0x50', '1e3'])('the port %s is refused', (PORT) =>
  expect(faults({ PORT })).toEqual([`PORT: must be a whole number from 0 to 65535, got "${PORT}"`]),
)

it.each([
  ['ROLES', 'web,cook', 'ROLES: must be a comma list of web, projector, worker, got "web,cook"'],
  ['ROLES', ',', 'ROLES: must be a comma list of web, projector, worker, got ","'],
  ['DEMO', 'yes', 'DEMO: must be 1 or 0, got "yes"'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL: must be fatal, error, warn, info, debug, trace or silent, got "loud"'],
  [
    'TRUST_PROXY',
    'loopback, 10.0.0.0/33',
    'TRUST_PROXY: must be loopback, linklocal, uniquelocal or addresses, with commas between them, got "loopback, 10.0.0.0/33"',
  ],
  ['TRUST_PROXY', 'true', 'TRUST_PROXY: must be loopback, linklocal, uniquelocal or addresses, with commas between them, got "true"'],
  ['HOST', 'a b', 'HOST: must be a host name or an address, got "a b"'],
  ['MEDIA', 'cloud', 'MEDIA: must be local or s3, got "cloud"'],
  ['S3_ENDPOINT', 'https://me:hush@s3', 'S3_ENDPOINT: must be a URL such as https://s3.example.org, without a name or a password'],
  ['S3_BUCKET', 'a/b', 'S3_BUCKET: must be the name of a bucket, got "a/b"'],
  ['S3_PREFIX', '../up', 'S3_PREFIX: must be words with / between them, such as guiche/files, got "../up"'],
  ['PUBLIC_URL', 'inbox.example.org', 'PUBLIC_URL: must be a URL such as https://inbox.example.org'],
  ['WHATSAPP_URL', 'on', 'WHATSAPP_URL: must be a URL such as wss://web.whatsapp.com/ws/chat, or off, got "on"'],
  ['WHATSAPP_WEB_VERSION', '2.3000', 'WHATSAPP_WEB_VERSION: must be three numbers such as 2.3000.1043857760, got "2.3000"'],
  ['WHATSAPP_VERSION_URL', 'on', 'WHATSAPP_VERSION_URL: must be a URL such as https://web.whatsapp.com/sw.js, or off, got "on"'],
  ['GRAPH_URL', 'ftp://graph', 'GRAPH_URL: must be a URL such as https://graph.facebook.com, got "ftp://graph"'],
  ['META_APP_SECRET', 'two words', 'META_APP_SECRET: must be without a blank'],
  ['ANCHOR_WEBHOOK', 'notary', 'ANCHOR_WEBHOOK: must be a URL such as https://notary.example.org/anchors'],
])('an error names what is wrong with %s=%s', (name, text, line) => expect(faults({ [name]: text })).toEqual([line]))

it('an external database needs a master key, and the error tells how to make one', () => {
  const [line, ...more] = faults({ DATABASE_URL: outside.DATABASE_URL })
  expect(more).toEqual([])
  expect(line).toMatch(/^MASTER_KEY: is needed beside DATABASE_URL; make one, once, with: node -e /)
})

it('a bucket needs all of its variables', () =>
  expect(faults({ MEDIA: 's3', S3_BUCKET: 'files' })).toEqual(
    ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].map((name) => `${name}: is needed beside MEDIA=s3`),
  ))

it.each([
  'esdb://name:pass%40word@host:2113?tls=true&tlsCAFile=/trust/ca.crt',
  'esdb://name:word@a:2113,b:2113,c:2113?tls=true&tlsCAFile=/trust/ca.crt&nodePreference=leader&keepAliveInterval=10000',
  'esdb+discover://a.b:2113?tls=false',
  'esdb://host/',
])('the log address %s is accepted', (EVENTSTORE_URL) => expect(parseConfig({ EVENTSTORE_URL }).eventstoreUrl).toBe(EVENTSTORE_URL))

it.each([
  'kurrentdb://a:hush@host:2113',
  'esdb://a:hush@host?colour=red',
  'esdb://a:hush@host?tlsVerifyCert=false',
  'esdb://a:hush@host?tls',
])('the log address %s is refused without being shown', (EVENTSTORE_URL) =>
  expect(faults({ EVENTSTORE_URL }).join()).toMatch(/^EVENTSTORE_URL: must be (?!.*hush)/),
)

it.each(['loopback', 'uniquelocal, 192.0.2.7', '10.0.0.0/8,fd00::/8', '::1'])('the proxy list %s is accepted', (TRUST_PROXY) =>
  expect(parseConfig({ TRUST_PROXY }).trustProxy).toBe(TRUST_PROXY),
)

it('each secret may come from a file, and an error names the file’s problem', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'guiche-settings-'))
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text)
    return path.join(folder, name)
  }
  try {
    const env = {
      DATABASE_URL_FILE: file('database', `${outside.DATABASE_URL}\n`),
      MASTER_KEY_FILE: file('key', `${outside.MASTER_KEY}\n`),
      REDIS_URL_FILE: file('redis', 'redis://:hush@cache:6379\n'),
      EVENTSTORE_URL_FILE: file('log', 'esdb://app:hush@log:2113\n'),
      METRICS_TOKEN_FILE: file('token', 'a-token-of-20-letters\n'),
      ...{ MEDIA: 's3', S3_ENDPOINT: 'http://store:9000', S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'AKID' },
      S3_SECRET_ACCESS_KEY_FILE: file('bucket', 'hush-of-the-bucket\n'),
    }
    expect(parseConfig(env)).toMatchObject({
      ...{ databaseUrl: outside.DATABASE_URL, masterKey: key, redisUrl: 'redis://:hush@cache:6379' },
      ...{ eventstoreUrl: 'esdb://app:hush@log:2113', metricsToken: 'a-token-of-20-letters', demo: false },
      s3: { region: 'us-east-1', secretAccessKey: 'hush-of-the-bucket', prefix: '' },
    })
    const missing = path.join(folder, 'nowhere')
    expect(
      faults({
        ...{
          ...env,
          MASTER_KEY_FILE: missing,
          REDIS_URL_FILE: file('empty', '\n'),
          EVENTSTORE_URL_FILE: file('wrong', 'http://me:hush@log'),
        },
        DATABASE_URL: outside.DATABASE_URL,
      }),
    ).toEqual([
      'DATABASE_URL_FILE: may not stand beside DATABASE_URL; say it once',
      `REDIS_URL_FILE: ${path.join(folder, 'empty')} is empty`,
      `MASTER_KEY_FILE: ${missing} cannot be read (ENOENT)`,
      'EVENTSTORE_URL: must be a URL such as esdb://name:password@host:2113?tls=true, with options the client knows',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('all errors are reported at once and contain no secret', () => {
  const hush = 'hush-hush'
  const lines = faults({
    PORT: 'x',
    MASTER_KEY: hush,
    DATABASE_URL: `mysql://app:${hush}@db`,
    REDIS_URL: `http://:${hush}@cache`,
    EVENTSTORE_URL: `https://admin:${hush}@log`,
    PUBLIC_URL: `ftp://me:${hush}@inbox`,
    MEETING_BASE_URL: `me:${hush}`,
    ...{ MEDIA: 'x', S3_ENDPOINT: `ftp://me:${hush}@s3`, S3_ACCESS_KEY_ID: `${hush} x`, S3_SECRET_ACCESS_KEY: `${hush} x` },
    ...{ HOST: 'a b', ROLES: 'cook', DEMO: 'x', SANDBOX: 'x', LOG_LEVEL: 'loud', HOURS_CLOSE_TICKETS_AUTO: '-1', TRUST_PROXY: '!' },
  })
  expect(lines.map((line) => line.split(':')[0])).toEqual([
    ...['PORT', 'HOST', 'DATABASE_URL', 'EVENTSTORE_URL', 'REDIS_URL', 'MEDIA', 'S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    ...['ROLES', 'DEMO', 'SANDBOX', 'MASTER_KEY', 'LOG_LEVEL'],
    ...['MEETING_BASE_URL', 'HOURS_CLOSE_TICKETS_AUTO', 'TRUST_PROXY', 'PUBLIC_URL'],
  ])
  expect(lines.join('\n')).not.toContain(hush)
})
