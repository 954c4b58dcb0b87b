/** Checks the files in docker/ against each other and against the config. It builds and starts nothing. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Check, Errors } from 'typebox/schema'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseConfig } from '#app/config.ts'
import { folder, type Service, text, ways, whole } from './compose.ts'

const schema = JSON.parse(text('compose-schema.json')) as object
const files = ['compose.yml', 'cluster.yml', 's3.yml', 'meta.yml']
const example = Object.fromEntries([...text('.env.example').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]))
const servicesOf = (way: keyof typeof ways) => Object.entries(ways[way].services)
const networksOf = ({ networks = [] }: Service) => (Array.isArray(networks) ? networks : Object.keys(networks))
const isOurs = ([, { build }]: [string, Service]) => build !== undefined
const each = Object.keys(ways) as (keyof typeof ways)[]

const made = mkdtempSync(path.join(tmpdir(), 'secrets-'))
afterAll(() => rmSync(made, { recursive: true, force: true }))
const makeSecrets = () => execFileSync('sh', [path.join(folder, 'secrets.sh'), made], { encoding: 'utf8' })
/** The bucket's operator supplies this key, so no script creates it. */
const bucketKey = 'k'.repeat(40)
const appSecret = 's'.repeat(32)
const secretsMade = () => Object.fromEntries(readdirSync(made).map((name) => [name, readFileSync(path.join(made, name), 'utf8')]))

it.each(Object.entries(whole))('%s follows the schema', (_, compose) => expect(Errors(schema, compose)[1]).toEqual([]))

it.each([
  ['a misspelt key', { healtcheck: {} }],
  ['an unknown restart', { restart: 'sometimes' }],
  ['a command for a shell', { command: 'redis-server' }],
  ['a check without an interval', { healthcheck: { test: ['CMD', 'true'] } }],
  ['a profile nobody starts', { profiles: ['fulll'] }],
])('the schema check detects %s', (_, change) => {
  const compose = whole['compose.yml']
  expect(Check(schema, { ...compose, services: { redis: { ...compose.services.redis, ...change } } })).toBe(false)
})

describe.each(each)('%s', (way) => {
  const { services, secrets, volumes, networks } = ways[way]
  const all = Object.entries(services)

  it('has one entry point, which proxies to existing services', () => {
    expect(all.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['proxy'])
    const asked = [...text('Caddyfile').matchAll(/(\S+):8080/g)].map(([, name]) => name!)
    const names = all.flatMap(([name, { networks: on }]) => [name, ...(Array.isArray(on) ? [] : (on?.front?.aliases ?? []))])
    expect(asked.length).toBeGreaterThan(1)
    expect(names).toEqual(expect.arrayContaining(asked))
    for (const name of asked) {
      const [, service] = all.find(([own, { networks: on }]) => own === name || (!Array.isArray(on) && on?.front?.aliases?.includes(name)))!
      expect(networksOf(service)).toContain('front')
    }
  })

  it('lets no outside traffic reach a store, and no store reach the internet', () => {
    expect(networks.stores?.internal).toBe(true)
    for (const [name, service] of all)
      if (!isOurs([name, service]) && name !== 'proxy')
        expect([name, networksOf(service), service.network_mode ?? '']).toEqual(
          name === 'node-certificates' ? [name, [], 'none'] : [name, ['stores'], ''],
        )
  })

  it('gives containers minimal capabilities, and limits memory, processes and logs', () => {
    // programs that switch users at start, own a given folder, or listen on a port below 1024
    const needed: Record<string, string[]> = {
      postgres: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
      redis: ['CHOWN', 'DAC_OVERRIDE', 'SETGID', 'SETUID'],
      'node-certificates': ['CHOWN'],
      proxy: ['NET_BIND_SERVICE'],
    }
    for (const [name, service] of all) {
      const { read_only, cap_drop, cap_add = [], security_opt, mem_limit, pids_limit, logging } = service
      expect([name, read_only, cap_drop, cap_add, security_opt]).toEqual([
        ...[name, true, ['ALL'], needed[name] ?? [], ['no-new-privileges:true']],
      ])
      expect([name, mem_limit, pids_limit, logging?.options]).toEqual([
        ...[name, expect.any(String), expect.any(Number), { 'max-size': '20m', 'max-file': '5' }],
      ])
    }
  })

  it('pins every image to a release', () => {
    for (const [name, { image = '' }] of all)
      expect([name, filledIn(image)]).toEqual([name, expect.stringMatching(/^[\w./-]+:\d+\.\d+\.?\d*[\w.-]*$/)])
  })

  it('waits only for existing services with a health check or an end', () => {
    const waits = all.flatMap(([name, { depends_on = {} }]) =>
      Object.entries(depends_on).map(([on, { condition }]) => ({ name, on, condition })),
    )
    const wrong = waits.filter(({ on, condition }) =>
      condition === 'service_healthy'
        ? !services[on]?.healthcheck || services[on].healthcheck.disable
        : condition !== 'service_completed_successfully' || services[on]?.restart !== 'no',
    )
    expect(waits.length).toBeGreaterThan(0)
    expect(wrong).toEqual([])
  })

  it('gives each role a valid config and every secret by file only', () => {
    makeSecrets()
    const given = { bucket_secret_key: bucketKey, meta_app_secret: appSecret, meta_verify_token: 'palavra' }
    for (const [name, secret] of Object.entries(given)) writeFileSync(path.join(made, name), secret, { mode: 0o444 })
    for (const [name, service] of all.filter(isOurs)) {
      const { environment = {}, secrets: given = [] } = service
      if (name === 'log-account') continue
      const env = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, placed(filledIn(String(value)), secrets, given)]),
      )
      const settings = parseConfig(env)
      expect(settings).toMatchObject({ host: '0.0.0.0', port: 8080, dataDir: '/data', demo: false, docs: false })
      expect(settings.databaseUrl).toMatch(/^postgres:\/\/guiche:\w{48}@postgres:5432\/guiche$/)
      expect([settings.masterKey?.length, settings.metricsToken?.length]).toEqual([32, 48])
      expect([Boolean(settings.eventstoreUrl), Boolean(settings.redisUrl)]).toEqual([!way.startsWith('simple'), !way.startsWith('simple')])
      expect(settings.s3?.secretAccessKey ?? null).toBe(way.endsWith('bucket') ? bucketKey : null)
      expect(settings.meta.appSecret).toBe(way.endsWith('Meta') ? appSecret : null)
    }
    for (const [, { environment = {} }] of all)
      for (const [key, value] of Object.entries(environment))
        if (
          /PASSWORD|TOKEN|KEY|_URL/.test(key) &&
          !['PUBLIC_URL', 'WHATSAPP_URL', 'WHATSAPP_VERSION_URL', 'MEETING_BASE_URL', 'S3_ACCESS_KEY_ID'].includes(key)
        ) {
          expect([key, value]).toEqual([expect.stringMatching(/_FILE$/), expect.stringMatching(/^\/(run\/secrets|nodes)\//)])
        }
  })

  it('declares every volume, network, secret and file that it refers to', () => {
    for (const [name, service] of all) {
      for (const volume of service.volumes ?? []) {
        const from = volume.split(':')[0]!
        expect([name, from, from.startsWith('.') ? existsSync(path.join(folder, from)) : from in volumes]).toEqual([name, from, true])
      }
      for (const one of service.secrets ?? []) expect([name, one, one in secrets]).toEqual([name, one, true])
      for (const one of networksOf(service)) expect([name, one, one in networks]).toEqual([name, one, true])
    }
    for (const [name, service] of all.filter(isOurs)) if (name !== 'log-account') expect(service.volumes).toContain('media:/data')
  })
})

it('the variants run two webs, a projector and a worker, or one process with all roles', () => {
  const roles = (way: keyof typeof ways) => servicesOf(way).flatMap(([, { environment }]) => environment?.ROLES ?? [])
  expect(roles('one node')).toEqual(['web', 'web', 'projector', 'worker'])
  expect(roles('a cluster')).toEqual(['web', 'web', 'projector', 'worker'])
  expect(roles('simple')).toEqual(['web,projector,worker'])
  expect(Object.keys(ways.simple.services).sort()).toEqual(['guiche', 'postgres', 'proxy'])
})

it('the cluster declares no unused volume and no unused secret', () => {
  const { services, volumes, secrets } = ways['a cluster']
  const used = (pick: (service: Service) => string[]) => [...new Set(Object.values(services).flatMap(pick))].sort()
  expect(used(({ volumes = [] }) => volumes.map((one) => one.split(':')[0]!).filter((one) => !one.startsWith('.')))).toEqual(
    Object.keys(volumes).sort(),
  )
  expect(used(({ secrets = [] }) => secrets)).toEqual(Object.keys(secrets).sort())
})

describe('the event store cluster of three nodes', () => {
  const nodes = servicesOf('a cluster').filter(([name]) => name.startsWith('eventstore'))
  const hosts = nodes.map(([name]) => name)

  it('gives each node its two peers, its own name and its own data', () => {
    expect(hosts).toEqual(['eventstore', 'eventstore-2', 'eventstore-3'])
    for (const [name, { environment: of = {}, volumes = [] }] of nodes) {
      const others = hosts.filter((host) => host !== name).map((host) => `${host}:2113`)
      expect([of.EVENTSTORE_CLUSTER_SIZE, of.EVENTSTORE_GOSSIP_SEED, of.EVENTSTORE_DISCOVER_VIA_DNS]).toEqual([
        3,
        others.join(','),
        'false',
      ])
      expect([of.EVENTSTORE_NODE_HOST_ADVERTISE_AS, of.EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS]).toEqual([name, name])
      expect(of.EVENTSTORE_CERTIFICATE_FILE).toBe(`/nodes/${name}/node.crt`)
      expect(volumes.filter((one) => one.includes('/var/'))).toEqual([`${name}:/var/lib/eventstore`, `${name}-log:/var/log/eventstore`])
    }
  })

  it('has a certificate for each node, and one address with all three', () => {
    const { services, secrets } = ways['a cluster']
    expect(services['node-certificates']?.environment?.NODES).toBe(hosts.join(' '))
    makeSecrets()
    const url = secretsMade()[path.basename(secrets.eventstore_url!.file)]!
    expect(url).toMatch(
      /^esdb:\/\/guiche:\w{48}@eventstore:2113,eventstore-2:2113,eventstore-3:2113\?tls=true&tlsCAFile=\/trust\/ca\.crt\n$/,
    )
  })
})

it('the event store never runs unencrypted or under its admin account', () => {
  for (const file of files) expect(text(file)).not.toMatch(/INSECURE|tls=false|changeit/i)
  makeSecrets()
  const { eventstore_url, eventstore_admin_password } = secretsMade()
  expect(eventstore_url).toMatch(/^esdb:\/\/guiche:/)
  expect(eventstore_url).not.toContain(eventstore_admin_password!.trim())
})

it('secrets are created once, readable by any container user, in a private folder', () => {
  makeSecrets()
  const before = secretsMade()
  expect(makeSecrets()).toContain('everything was there')
  expect(secretsMade()).toEqual(before)
  expect(statSync(made).mode & 0o777).toBe(0o700)
  expect(Object.keys(before).map((name) => statSync(path.join(made, name)).mode & 0o777)).toEqual(Object.keys(before).map(() => 0o444))
  expect(before.redis_url).toContain(/>(\w+)/.exec(before.redis_accounts!)![1])
  expect(before.database_url).toContain(before.postgres_password!.trim())
  const ignored = readFileSync(path.join(folder, '../.gitignore'), 'utf8')
  expect(ignored).toMatch(/^docker\/secrets\/$/m)
  expect(ignored).toMatch(/^docker\/\.env$/m)
})

it('.env.example explains every variable with its actual default', () => {
  const variables = files.flatMap((file) => [...text(file).matchAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g)])
  expect([...new Set([...variables.map(([, name]) => name!), 'COMPOSE_PROFILES', 'COMPOSE_FILE'])].sort()).toEqual(
    Object.keys(example).sort(),
  )
  for (const [, name, kind, value] of variables) if (kind === '-') expect([name, example[name!]]).toEqual([name, value])
})

it('the proxy publishes no operator page', () =>
  expect(text('Caddyfile')).toMatch(/@private path \/metrics [^\n]*\/docs [^\n]*\n\s*respond @private 404/))

it('the image has no root user, has a health check, and contains what the server imports', () => {
  const dockerfile = text('Dockerfile')
  expect(dockerfile.match(/^FROM \S+/gm)).toEqual(Array(3).fill(expect.stringMatching(/^FROM node:24\.\d+\.\d+-bookworm-slim$/)))
  expect(dockerfile).toMatch(/^USER node$/m)
  expect(dockerfile).toMatch(/^HEALTHCHECK [\s\S]*\/api\/health/m)
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  for (const layer of ['app', 'domain', 'projections', 'migrations']) expect(last).toContain(`\nCOPY ${layer} ${layer}\n`)
  const ignored = text('Dockerfile.dockerignore')
  expect(last).toMatch(/\nCMD \["sh", "docker\/start.sh", "node", .*"app\/main.ts"\]\n/)
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names!.split(' '))
  for (const name of copied) expect(ignored).toContain(`\n!${name}\n`)
})

it('the alert rules use only metrics that the server exports', () => {
  const { groups } = parse(text('alerts.yml')) as {
    groups: { rules: { alert: string; expr: string; for: string; annotations: { summary: string } }[] }[]
  }
  const rules = groups.flatMap((group) => group.rules)
  const told = readFileSync(path.join(folder, '../app/observability/registry.ts'), 'utf8')
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

it('the systemd unit has a valid config and its secrets by file only', () => {
  const unit = text('guiche.service')
  const env = Object.fromEntries(
    [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs]) => pairs!.split(' ').map((pair) => pair.split('='))),
  )
  const loaded = [...unit.matchAll(/^LoadCredential=([\w-]+):/gm)].map(([, name]) => `%d/${name}`)
  const { MASTER_KEY_FILE, DATABASE_URL_FILE, ...plain } = env
  expect([MASTER_KEY_FILE, DATABASE_URL_FILE].every((file) => loaded.includes(file))).toBe(true)
  makeSecrets()
  const stores = { MASTER_KEY_FILE: path.join(made, 'master_key'), DATABASE_URL: 'postgres://localhost/guiche' }
  expect(parseConfig({ ...plain, ...stores })).toMatchObject({ host: '127.0.0.1', dataDir: '/var/lib/guiche', demo: false })
  expect(unit).toMatch(/^Restart=on-failure\n(?:.*\n)*RestartPreventExitStatus=78$/m)
})

describe('the tools that read these files, if installed', () => {
  const has = (tool: string) => spawnSync(tool, ['--version']).error === undefined
  const asked = (tool: string, args: string[], env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(tool, args, {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: made, ...env },
    })
    return { status, said: `${stdout}${stderr}` }
  }

  it.skipIf(!has('caddy'))('accept the Caddyfile (caddy)', () => {
    const { status, said } = asked('caddy', ['validate', '--config', path.join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
      SITE_ADDRESS: ':80',
    })
    expect([status, said]).toEqual([0, expect.stringContaining('Valid configuration')])
  })

  it.skipIf(!has('promtool'))('accept the alert rules (promtool)', () =>
    expect(asked('promtool', ['check', 'rules', path.join(folder, 'alerts.yml')])).toMatchObject({ status: 0 }),
  )

  it.skipIf(!has('systemd-analyze'))('accept the systemd unit without remarks (systemd-analyze)', () =>
    expect(asked('systemd-analyze', ['verify', path.join(folder, 'guiche.service')])).toEqual({ status: 0, said: '' }),
  )
})

const filledIn = (value: string) => value.replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) => example[name]!)

/** Replaces the path of a secret inside a container with its path in the test's folder. */
function placed(value: string, secrets: Record<string, { file: string }>, given: string[]): string {
  const [, name] = /^\/run\/secrets\/(\w+)$/.exec(value) ?? []
  if (!name) return value
  expect(given).toContain(name)
  return path.join(made, path.basename(secrets[name]!.file))
}
