/**
 * `npm test`: runs every check even after a failure; the last line counts them all. `-- --project NAME` or `--
 * FILE…` runs only those tests, without the other checks. `--soak` runs the tests of faults, or the named files,
 * with larger counts.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startVitest, type TestCase, type TestModule } from 'vitest/node'
import { projectNames } from './projects.ts'
import { measureSlowness } from './support/slowness.ts'

type Tally = { passed: number; failed: number; skipped: number }

const root = fileURLToPath(new URL('..', import.meta.url))
const inCi = process.env.CI === 'true' || process.env.CI === '1'
/** Tools that a test machine may lack. Any other skip hides a broken test there. */
const excused = /docker|EVENTSTORE_URL/i

const bin = (name: string) => path.join(root, 'node_modules', '.bin', name)
const tools = [
  { name: 'biome', command: [bin('biome'), 'check', '--error-on-warnings'] },
  { name: 'oxlint', command: [bin('oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'tsc', command: [bin('tsc'), '-p', '.', '--noEmit'] },
  ...(existsSync(path.join(root, 'web', 'vite.config.ts'))
    ? [{ name: 'client', command: [process.execPath, path.join('app', 'setup.mjs'), 'build'] }]
    : []),
]

async function step(name: string, run: () => Promise<Tally>): Promise<Tally> {
  const start = performance.now()
  console.log(`\n── ${name}`)
  const tally = await run().catch((error: unknown) => {
    console.error(error)
    return one(false)
  })
  console.log(`── ${name}: ${tally.failed === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return tally
}

const sum = (tallies: Tally[]): Tally => {
  const total = (field: keyof Tally) => tallies.reduce((so, tally) => so + tally[field], 0)
  return { passed: total('passed'), failed: total('failed'), skipped: total('skipped') }
}

const one = (good: boolean): Tally => ({ passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 })

/** Prints the output of a tool as one block, because several tools run at the same time. */
function tool([program = '', ...args]: string[]): Promise<Tally> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.once('error', (error) => {
      console.error(`${program}: ${error.message}`)
      resolve(one(false))
    })
    child.once('close', (code) => {
      process.stdout.write(said)
      resolve(one(code === 0))
    })
  })
}

/** The maximum of failed files that are run again. On a busy machine a browser can be too slow for a test. */
const secondLooks = 6

/**
 * Runs the tests, and the few failed files of a whole run once more alone. A file that fails again has failed. A
 * file that passes the second time is named as unsteady: its test, or the app under load, has a fault.
 */
async function tests(filters: string[], projects: string[]): Promise<Tally> {
  const first = await run(filters, projects)
  times = timesOf(first.modules)
  const failed = first.modules.filter((module) => module.state() === 'failed')
  const again = filters.length === 0 && failed.length <= secondLooks ? failed.map(({ moduleId }) => path.relative(root, moduleId)) : []
  if (again.length === 0) return count(first)
  console.log(`\n── once more, alone: ${again.join(', ')}`)
  const second = await run(again, projects)
  const counts = [count({ ...first, modules: first.modules.filter((module) => !failed.includes(module)) }), count(second)]
  const holds = second.modules.filter((module) => module.state() === 'passed')
  for (const module of holds) console.log(`UNSTEADY, held when run alone: ${path.relative(root, module.moduleId)}`)
  return sum(counts)
}

type Run = { modules: TestModule[]; outside: unknown[] }

async function run(filters: string[], projects: string[]): Promise<Run> {
  const outside: unknown[] = []
  const vitest = await startVitest('test', filters, {
    root,
    config: path.join(root, 'tests', 'vitest.config.ts'),
    run: true,
    watch: false,
    project: projects,
    reporters: ['default', { onTestRunEnd: (_, errors) => void outside.push(...errors) }],
  })
  const modules = vitest.state.getTestModules()
  await Promise.race([vitest.close(), sleep(15_000)])
  return { modules, outside }
}

function count({ modules, outside }: Run): Tally {
  const cases = modules.flatMap((module) => [...module.children.allTests()])
  const skips = cases.filter((test) => test.result().state === 'skipped')
  const hidden = inCi ? skips.filter((test) => !excused.test(reasonOf(test))) : []
  tell('skipped', skips)
  tell('FAILED because it was skipped', hidden)
  // a file that cannot be loaded has no failing tests, and an error outside tests fails none
  const broken = modules.filter((module) => module.errors().length > 0 || isEmpty(module)).length + outside.length
  const none = modules.length === 0 ? 1 : 0
  return {
    passed: cases.filter((test) => test.result().state === 'passed').length,
    failed: cases.filter((test) => !['passed', 'skipped'].includes(test.result().state)).length + hidden.length + broken + none,
    skipped: skips.length - hidden.length,
  }
}

/**
 * The times of each project and of the slowest files, as elapsed time and as processor time (without Postgres).
 * Files run side by side, so the elapsed times add up to more than the run.
 */
function timesOf(modules: TestModule[]): string[] {
  const processor = processorSeconds()
  const clock = (of: TestModule[]) => of.reduce((sum, module) => sum + tookMs(module), 0) / 1000
  const busy = (of: TestModule[]) => of.reduce((sum, { moduleId }) => sum + (processor.get(moduleId) ?? 0), 0)
  const line = (name: string, of: TestModule[]) => `${clock(of).toFixed(0).padStart(6)} s ${busy(of).toFixed(0).padStart(6)} s  ${name}`
  const projects = [...Map.groupBy(modules, ({ project }) => project.name)].toSorted(([, a], [, b]) => clock(b) - clock(a))
  const slowest = modules.toSorted((a, b) => tookMs(b) - tookMs(a)).slice(0, process.env.GUICHE_ALL_TIMES ? undefined : 10)
  return [
    '   clock processor',
    ...projects.map(([name, of]) => line(`${name}: ${of.length} files`, of)),
    ...slowest.map((module) => line(path.relative(root, module.moduleId), [module])),
  ]
}

/** The times that `support/processor-time.ts` has written, by file. */
function processorSeconds(): Map<string, number> {
  const file = process.env.GUICHE_TEST_TIMES!
  if (!existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return new Map(lines.map((line) => line.split('\t')).map(([seconds, name]) => [name!, Number(seconds)]))
}
/** Includes the time to load a file. */
function tookMs(module: TestModule): number {
  const { duration, collectDuration, setupDuration, prepareDuration } = module.diagnostic()
  return duration + collectDuration + setupDuration + prepareDuration
}

const isEmpty = (module: TestModule) => module.children.allTests().next().done === true

function reasonOf(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' && result.note) || 'no reason given'
}

/** Prints one line for each file and reason. */
function tell(what: string, cases: TestCase[]) {
  const groups = Map.groupBy(cases, (test) => `${path.relative(root, test.module.moduleId)}: ${reasonOf(test)}`)
  for (const [group, members] of groups) console.log(`${members.length} ${what}: ${group}`)
}

// an orderly exit stops the Postgres of the tests
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))

const usage = `npm test -- [--project ${projectNames.join('|')}]… [--soak] [file…]`
function readArguments() {
  try {
    const options = {
      project: { type: 'string', multiple: true, default: [] as string[] },
      soak: { type: 'boolean', default: false },
    } as const
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const unknown = values.project.filter((name) => !(projectNames as readonly string[]).includes(name))
    if (unknown.length > 0) throw new Error(`Unknown project: ${unknown.join(', ')}`)
    return { filters: positionals, projects: values.project, soak: values.soak }
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    return process.exit(2)
  }
}

const { filters, projects, soak } = readArguments()
const scratch = mkdtempSync(path.join(tmpdir(), 'guiche-times-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
process.env.GUICHE_TEST_TIMES = path.join(scratch, 'times')
if (soak) process.env.GUICHE_SOAK = '1'
const slowness = await measureSlowness()
process.env.GUICHE_TEST_SLOWNESS = String(slowness)
if (slowness > 1.5) console.log(`This machine gives ${slowness} times less than two free cores: waits give up so much later.`)
const isWhole = filters.length === 0 && projects.length === 0 && !soak
let times: string[] = []
const tallies: Tally[] = []
/* Without the built client every page of a browser test is an error page. */
const isBuilt = existsSync(path.join(root, 'web/dist/index.html'))
const first = isWhole ? tools : isBuilt ? [] : tools.filter(({ name }) => name === 'client')
tallies.push(...(await Promise.all(first.map(({ name, command }) => step(name, () => tool(command))))))
tallies.push(await step('tests', () => tests(filters, soak && projects.length === 0 && filters.length === 0 ? ['faults'] : projects)))

const all = sum(tallies)
console.log(`\nWhat each took:\n${times.join('\n')}`)
console.log(`\n${all.passed} passed, ${all.failed} failed, ${all.skipped} skipped`)
process.exit(all.failed === 0 ? 0 : 1)
