import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { distance } from 'fastest-levenshtein'
import * as Type from 'typebox'
import { Check, Convert, Default } from 'typebox/value'
import { isEventStoreUrl } from './event-store/connection-string.ts'
import { type MetaSettings, metaEnvironment, metaSettings } from './meta/environment.ts'

export type Role = 'web' | 'projector' | 'worker'
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** A bucket for media files in any S3-compatible store, with path-style addresses. */
export type S3 = { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string; prefix: string }

export type Config = {
  port: number
  host: string
  dataDir: string
  /** null: the embedded Postgres, in `dataDir`. */
  databaseUrl: string | null
  /** null: the event store is a table of the same Postgres. */
  eventstoreUrl: string | null
  /** null: the job queue is in the same Postgres. */
  redisUrl: string | null
  /** null: media files are in `dataDir`. */
  s3: S3 | null
  roles: Role[]
  demo: boolean
  sandbox: boolean
  /** null in embedded mode only: the key is created at the first start and stored in `dataDir`. */
  masterKey: Buffer | null
  logLevel: LogLevel
  /** Null: no meeting links. */
  meetingBaseUrl: string | null
  /** Hours after which an open ticket whose last message is ours is closed (A-EXP-05); 0: never. */
  hoursCloseTicketsAuto: number
  /** Upload quota of a company in megabytes if its plan has none; 0: no limit. */
  uploadQuotaMb: number
  /** Maximum size in megabytes of a customer's file that is stored. */
  inboundFileMb: number
  /** Sustained calls per second of one user; bursts may have three times as many. 0: no limit. */
  userCallsPerSecond: number
  /** The proxies whose forwarded client addresses are trusted. */
  trustProxy: string
  publicUrl: string | null
  /** WhatsApp's address for numbers that are linked by QR code; null disables them. */
  whatsappUrl: string | null
  /** The WhatsApp Web version to announce (null: the client's), and the URL that returns the current one after a refusal (null: none). */
  whatsappWebVersion: [number, number, number] | null
  whatsappVersionUrl: string | null
  /** Where anchors are published: a file that gets one line per anchor, and a URL that receives each anchor. */
  anchorFile: string | null
  /** The receipts of erasures, which are repeated after a restore. */
  erasureFile: string
  anchorWebhook: string | null
  /** Token for /metrics and the details of /api/health; null allows requests from this machine only. */
  metricsToken: string | null
  /** Serves the API documentation at /docs. */
  docs: boolean
  meta: MetaSettings
}

/** Invalid configuration: one line per fault that the operator must correct, without values of secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: string[]
  /** True if a later start may succeed without any change, for example while a store is down. */
  readonly isTemporary: boolean
  constructor(faults: string[], { isTemporary = false } = {}) {
    super(faults.join('\n'))
    this.faults = faults
    this.isTemporary = isTemporary
  }
}

/** One error with the faults of all. It is temporary only if all are. */
export const joinConfigErrors = (errors: ConfigError[]): ConfigError =>
  new ConfigError(
    errors.flatMap(({ faults }) => faults),
    { isTemporary: errors.every(({ isTemporary }) => isTemporary) },
  )

const roles: Role[] = ['web', 'projector', 'worker']
const makeKey = `node -e "console.log(require('node:crypto').randomBytes(32).toString('base64'))"`

const flag = { description: '1 or 0' }
const whole = (fallback: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: fallback, minimum, maximum, description })
const must = (description: string, pattern: string) => ({ description, pattern })
const url = (description: string, protocols: string, more = {}) =>
  Type.Refine(Type.String({ description, ...more }), (text) => new RegExp(`^(${protocols})://.`).test(text) && URL.canParse(text))
const orOff = (fallback: string, protocols: string, more = {}) =>
  Type.Refine(
    Type.String({ default: fallback, description: `a URL such as ${fallback}, or off`, ...more }),
    (text) => text === 'off' || (new RegExp(`^(${protocols})://.`).test(text) && URL.canParse(text)),
  )

function isTrusted(one: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(one)) return true
  const [address = '', bits, ...more] = one.split('/')
  const kind = isIP(address)
  return kind !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 4 ? 32 : 128)))
}

/** True for a URL without credentials, query and fragment. */
function isPlain(text: string): boolean {
  const { username, password, search, hash } = new URL(text)
  return username + password + search + hash === ''
}

/** `description` ends the sentence "must be …"; `writeOnly` keeps the value out of it. */
const Environment = Type.Object({
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 8080, description: 'a whole number from 0 to 65535' }),
  HOST: Type.String({ default: '127.0.0.1', ...must('a host name or an address', '^[\\w.:-]+$') }),
  DATA_DIR: Type.String({ default: '.data' }),
  DATABASE_URL: Type.Optional(url('a URL such as postgres://user:password@host:5432/guiche', 'postgres|postgresql', { writeOnly: true })),
  EVENTSTORE_URL: Type.Optional(
    Type.Refine(
      Type.String({ writeOnly: true, description: 'a URL such as esdb://name:password@host:2113?tls=true, with options the client knows' }),
      isEventStoreUrl,
    ),
  ),
  REDIS_URL: Type.Optional(url('a URL such as redis://host:6379', 'redis|rediss', { writeOnly: true })),
  MEDIA: Type.Enum(['local', 's3'], { default: 'local', description: 'local or s3' }),
  S3_ENDPOINT: Type.Optional(
    Type.Refine(url('a URL such as https://s3.example.org, without a name or a password', 'https?', { writeOnly: true }), isPlain),
  ),
  S3_BUCKET: Type.Optional(Type.String(must('the name of a bucket', '^[\\w.-]{3,255}$'))),
  S3_REGION: Type.String({ default: 'us-east-1', ...must('a region such as eu-central-1', '^[\\w-]{1,64}$') }),
  S3_ACCESS_KEY_ID: Type.Optional(Type.String({ writeOnly: true, ...must('without a blank, a comma or a slash', '^[^\\s,/]{1,256}$') })),
  S3_SECRET_ACCESS_KEY: Type.Optional(Type.String({ writeOnly: true, ...must('without a blank', '^\\S{1,256}$') })),
  S3_PREFIX: Type.Optional(Type.String(must('words with / between them, such as guiche/files', '^[\\w-]+(/[\\w-]+)*/?$'))),
  ROLES: Type.Array(Type.Enum(roles), { minItems: 1, default: roles, description: 'a comma list of web, projector, worker' }),
  DEMO: Type.Optional(Type.Boolean(flag)),
  SANDBOX: Type.Optional(Type.Boolean(flag)),
  MASTER_KEY: Type.Optional(
    Type.String({ writeOnly: true, ...must('32 bytes as base64 or as 64 hex digits', '^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$') }),
  ),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'fatal, error, warn, info, debug, trace or silent',
  }),
  MEETING_BASE_URL: orOff('https://meet.jit.si', 'https?', { writeOnly: true }),
  HOURS_CLOSE_TICKETS_AUTO: whole(24, 0, 8760, 'a whole number of hours from 0 (never) to 8760'),
  UPLOAD_QUOTA_MB: whole(10_240, 0, 1_000_000_000, 'a whole number of megabytes, 0 for no limit'),
  INBOUND_FILE_MB: whole(100, 1, 2048, 'a whole number of megabytes from 1 to 2048'),
  USER_CALLS_PER_SECOND: whole(100, 0, 1000, 'a whole number of calls from 0 (no limit) to 1000'),
  TRUST_PROXY: Type.Refine(
    Type.String({ default: 'loopback', description: 'loopback, linklocal, uniquelocal or addresses, with commas between them' }),
    (text) => text.split(',').every((one) => isTrusted(one.trim())),
  ),
  METRICS_TOKEN: Type.Optional(Type.String({ writeOnly: true, ...must('16 characters or more, without a blank', '^\\S{16,500}$') })),
  DOCS: Type.Optional(Type.Boolean(flag)),
  PUBLIC_URL: Type.Optional(url('a URL such as https://inbox.example.org', 'https?', { writeOnly: true })),
  WHATSAPP_URL: orOff('wss://web.whatsapp.com/ws/chat', 'wss?'),
  WHATSAPP_WEB_VERSION: Type.Optional(Type.String(must('three numbers such as 2.3000.1043857760', '^\\d+\\.\\d+\\.\\d+$'))),
  WHATSAPP_VERSION_URL: orOff('https://web.whatsapp.com/sw.js', 'https?'),
  ANCHOR_FILE: Type.Optional(Type.String()),
  ERASURE_FILE: Type.Optional(Type.String()),
  ANCHOR_WEBHOOK: Type.Optional(url('a URL such as https://notary.example.org/anchors', 'https?', { writeOnly: true })),
  ...metaEnvironment,
})
type Environment = Type.Static<typeof Environment>
type Name = keyof Environment
const names = Object.keys(Environment.properties) as Name[]

/** Each may be given as a file instead, as containers do with secrets: MASTER_KEY_FILE=/run/secrets/master_key. */
const secrets = [
  'DATABASE_URL',
  'EVENTSTORE_URL',
  'REDIS_URL',
  'MASTER_KEY',
  'METRICS_TOKEN',
  'S3_SECRET_ACCESS_KEY',
  'META_APP_SECRET',
  'META_VERIFY_TOKEN',
] as const satisfies Name[]

const ofBucket = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const satisfies Name[]

export function parseConfig(variables: Record<string, string | undefined>): Config {
  const { env, faults } = withFiles(variables)
  const given = Default(Environment, Convert(Environment, nonEmptyValues(env))) as Record<Name, unknown>
  // checked one by one, because typebox reports only the first eight errors of an object
  const wrong = names.filter((name) => given[name] !== undefined && !Check(Environment.properties[name], given[name]))
  faults.push(...wrong.map((name) => fault(name, env[name] ?? '')))
  const named = (name: Name) => Boolean(env[name]?.trim() || variables[`${name}_FILE`]?.trim())
  if (!named('MASTER_KEY') && named('DATABASE_URL'))
    faults.push(`MASTER_KEY: is needed beside DATABASE_URL; make one, once, with: ${makeKey}`)
  if (given.MEDIA === 's3') for (const name of ofBucket) if (!named(name)) faults.push(`${name}: is needed beside MEDIA=s3`)
  if (faults.length > 0) throw new ConfigError(faults)
  return toConfig(given as unknown as Environment)
}

/** The valid addresses and paths of an invalid config, so that preflight checks can report their faults together with the others. */
export function placesIn(env: Record<string, string | undefined>): Config {
  const right = (name: Name): boolean => {
    try {
      return parseConfig({ [name]: env[name] }) !== null
    } catch {
      return false
    }
  }
  const listens = right('PORT') && right('HOST') // otherwise port 0, which is always free
  const { PORT, HOST, DATA_DIR, ANCHOR_FILE, ERASURE_FILE } = env
  return parseConfig({ DATA_DIR, ANCHOR_FILE, ERASURE_FILE, ...(listens ? { PORT, HOST } : { PORT: '0' }) })
}

/** One line, without the value, for each unknown variable that resembles a setting or begins with META_. */
export function unknownVariables(env: Record<string, string | undefined>): string[] {
  const known = [...names, ...secrets.map((name) => `${name}_FILE`)]
  return Object.keys(env).flatMap((name) => {
    const near = (one: string) => distance(name, one) <= (one.length > 4 ? 2 : 1) || sorted(name) === sorted(one)
    const kin = known.filter((one) => name.startsWith('META_') && one.startsWith('META_'))
    const nearest = () => kin.toSorted((a, b) => distance(name, a) - distance(name, b))[0]
    const meant = known.includes(name) ? undefined : (known.find(near) ?? nearest())
    return meant === undefined ? [] : [`${name}: is no setting; ${meant} is`]
  })
}

const sorted = (name: string) => [...name].toSorted().join('')

function withFiles(variables: Record<string, string | undefined>): { env: Record<string, string | undefined>; faults: string[] } {
  const env = { ...variables }
  const faults: string[] = []
  for (const name of secrets) {
    const file = variables[`${name}_FILE`]?.trim()
    if (!file) continue
    if (variables[name]?.trim()) faults.push(`${name}_FILE: may not stand beside ${name}; say it once`)
    else
      try {
        env[name] = readFileSync(file, 'utf8')
        if (env[name].trim() === '') faults.push(`${name}_FILE: ${file} is empty`)
      } catch (error) {
        faults.push(`${name}_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
      }
  }
  return { env, faults }
}

/** Trims the variables and drops empty ones, so that `REDIS_URL=` in an env file means none. */
function nonEmptyValues(env: Record<string, string | undefined>): Record<string, string | string[]> {
  const filled = names.map((name) => [name, env[name]?.trim() ?? ''] as const).filter(([, text]) => text !== '')
  return Object.fromEntries(filled.map(([name, text]) => [name, name === 'ROLES' ? list(text) : exact(name, text)]))
}

const list = (text: string) => [...new Set(text.split(',').map((item) => item.trim().toLowerCase()))].filter((item) => item !== '')

/** Allows only plain digits as numbers, because `Convert` would truncate 80.5 to 80 and accept 0x50. */
const isNumber = (name: Name) => (Environment.properties[name] as { type?: string }).type === 'integer'
const exact = (name: Name, text: string) => (isNumber(name) && !/^\d+$/.test(text) ? 'no number' : text)

function fault(name: Name, text: string): string {
  const { description, writeOnly } = Environment.properties[name] as { description?: string; writeOnly?: boolean }
  return `${name}: must be ${description}${writeOnly ? '' : `, got ${JSON.stringify(text.trim())}`}`
}

function toConfig(env: Environment): Config {
  const isPrivate = env.DATABASE_URL === undefined && isLoopback(env.HOST)
  const demo = env.DEMO ?? isPrivate // reachable installations get no demo accounts and no simulated phones unless configured
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: path.resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL ?? null,
    eventstoreUrl: env.EVENTSTORE_URL ?? null,
    redisUrl: env.REDIS_URL ?? null,
    s3: env.MEDIA === 's3' ? bucketOf(env) : null,
    roles: roles.filter((role) => env.ROLES.includes(role)),
    demo,
    sandbox: env.SANDBOX ?? (isPrivate && demo),
    masterKey: env.MASTER_KEY === undefined ? null : bytes(env.MASTER_KEY),
    logLevel: env.LOG_LEVEL as LogLevel,
    meetingBaseUrl: env.MEETING_BASE_URL === 'off' ? null : withoutSlash(env.MEETING_BASE_URL),
    hoursCloseTicketsAuto: env.HOURS_CLOSE_TICKETS_AUTO,
    uploadQuotaMb: env.UPLOAD_QUOTA_MB,
    inboundFileMb: env.INBOUND_FILE_MB,
    userCallsPerSecond: env.USER_CALLS_PER_SECOND,
    trustProxy: env.TRUST_PROXY,
    metricsToken: env.METRICS_TOKEN ?? null,
    docs: env.DOCS ?? isLoopback(env.HOST),
    publicUrl: env.PUBLIC_URL === undefined ? null : withoutSlash(env.PUBLIC_URL),
    whatsappUrl: env.WHATSAPP_URL === 'off' ? null : env.WHATSAPP_URL,
    whatsappWebVersion: (env.WHATSAPP_WEB_VERSION?.split('.').map(Number) as [number, number, number] | undefined) ?? null,
    whatsappVersionUrl: env.WHATSAPP_VERSION_URL === 'off' ? null : env.WHATSAPP_VERSION_URL,
    anchorFile: env.ANCHOR_FILE === undefined ? null : path.resolve(env.ANCHOR_FILE),
    erasureFile: path.resolve(env.ERASURE_FILE ?? path.join(env.DATA_DIR, 'erasures.jsonl')),
    anchorWebhook: env.ANCHOR_WEBHOOK ?? null,
    meta: metaSettings(env),
  }
}

/** The address of this server on its own machine. */
export const localUrlOf = ({ host, port }: Pick<Config, 'host' | 'port'>): string =>
  `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`
/** The address that links for people begin with: that of the operator, or else that of this machine. */
export const linkRootOf = (config: Pick<Config, 'publicUrl' | 'host' | 'port'>): string => config.publicUrl ?? localUrlOf(config)

const bucketOf = (env: Environment): S3 => ({
  endpoint: withoutSlash(env.S3_ENDPOINT!),
  bucket: env.S3_BUCKET!,
  region: env.S3_REGION,
  accessKeyId: env.S3_ACCESS_KEY_ID!,
  secretAccessKey: env.S3_SECRET_ACCESS_KEY!,
  prefix: env.S3_PREFIX === undefined ? '' : `${withoutSlash(env.S3_PREFIX)}/`,
})
const bytes = (text: string) => Buffer.from(text, text.length === 64 ? 'hex' : 'base64')
const withoutSlash = (text: string) => text.replace(/\/+$/, '')

/** True for addresses that are reachable from this machine only. */
export const isLoopback = (host: string): boolean => /^(localhost|::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(host)
