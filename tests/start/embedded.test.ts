import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { programs, unprivileged } from '#app/embedded/binaries.ts'
import { runningPostgres, startPostgres } from '#app/embedded/database.ts'
import { halt, launchWithRetry } from '#app/embedded/postmaster.ts'
import { ask, cleared, folder, quick, start, started } from '#tests/support/embedded.ts'

const others: ChildProcess[] = []

/** The folder of every test that needs none of its own. Creating a cluster takes a second. */
let dataDir: string

beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), `guiche-test-${process.pid}-`)) // a later run removes the folder of a killed one
  chmodSync(dataDir, 0o755)
})

afterAll(async () => {
  await (await start(dataDir)).stop()
  rmSync(dataDir, { recursive: true, force: true })
})

afterEach(async () => {
  for (const other of others.splice(0)) other.kill('SIGKILL')
  await cleared()
})

/** Another process that runs the Postgres of a folder until it is killed. */
async function startElsewhere(dataDir: string): Promise<{ pid: number; kill(): Promise<void> }> {
  const script = path.join(folder(), 'run.ts')
  const options = JSON.stringify({ dataDir, settings: quick })
  const home = new URL('../../app/embedded/database.ts', import.meta.url)
  writeFileSync(
    script,
    `import { startPostgres } from '${home}'\nconsole.log((await startPostgres(${options})).pid)\nsetInterval(() => {}, 1000)\n`,
  )
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  others.push(child)
  const pid = await new Promise<number>((resolve) => child.stdout.once('data', (line) => resolve(Number(line))))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = () => {
    child.kill('SIGKILL')
    return ended
  }
  return { pid, kill }
}

/** Every process whose command line names the folder. */
const processesOf = (place: string) =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(place)
    } catch {
      return false
    }
  })

it('Postgres starts in an empty folder, and again with the existing rows', async () => {
  const first = await start(dataDir)
  await ask(first.url, 'drop table if exists kept; create table kept as select 1 as n')
  await first.stop()
  expect(processesOf(dataDir)).toEqual([])

  const second = await start(dataDir)
  expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 1 }])
  const settings = 'max_connections jit listen_addresses fsync server_encoding default_text_search_config'.split(' ')
  const answer = await ask(second.url, `select ${settings.map((name) => `current_setting('${name}') as ${name}`).join()}`)
  expect(answer).toEqual([
    {
      max_connections: '100',
      jit: 'off',
      listen_addresses: '127.0.0.1',
      fsync: 'off',
      server_encoding: 'UTF8',
      default_text_search_config: 'pg_catalog.portuguese',
    },
  ])
})

it('a failed statement is logged without its text and without row values', async () => {
  const lines: string[] = []
  const first = await start(dataDir, (line) => lines.push(line))
  await ask(first.url, 'create table twice (number text primary key)')
  const fails = (text: string) => expect(ask(first.url, text)).rejects.toThrow()
  await fails(`insert into twice\n  values ('5511977778888'),\n  ('5511977778888')`)
  await fails('select number from nowhere\n where number = 5511977778888')
  await ask(first.url, 'drop table twice')
  await first.stop()
  await expect.poll(() => lines.join('\n')).toContain('database system is shut down')
  expect(lines.filter((line) => /^ERROR: .*(twice|nowhere)/.test(line))).toHaveLength(2)
  expect(lines.join('\n')).not.toMatch(/5511977778888|DETAIL|HINT|STATEMENT/)
})

it('the socket is private to its user, and socket and port both require the password', async () => {
  const { url } = await start(dataDir)
  const [byPort, socket] = [url.split('?')[0]!, new URL(url).searchParams.get('host')!]
  expect((statSync(socket).mode & 0o77).toString(8)).toBe('0')
  const through = 'select inet_server_addr() is null as socket'
  expect([await ask(url, through), await ask(byPort, through)]).toEqual([[{ socket: true }], [{ socket: false }]])
  for (const way of [url, byPort])
    await expect(ask(way.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toMatchObject({ code: '28P01' })
})

it('the port is used if the folder’s path is too long for a socket', async () => {
  const far = path.join(folder(), 'a-folder-of-a-name-that-is-long', 'and-another-one-below-it-that-is-long-as-well')
  const { url } = await start(far)
  expect(url).toMatch(/:\d+\/postgres$/)
  expect(await ask(url, 'select 1 as n')).toEqual([{ n: 1 }])
})

it('a killed Postgres restarts by itself on the same port', async () => {
  const postgres = await start(dataDir)
  await ask(postgres.url, 'drop table if exists kept; create table kept as select 7 as n')
  const killed = postgres.pid
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => postgres.pid).not.toBe(killed)
  expect(await ask(postgres.url, 'select n from kept')).toEqual([{ n: 7 }])
})

it('a stop during a restart leaves no process', async () => {
  const postgres = await start(dataDir)
  process.kill(postgres.pid, 'SIGKILL')
  await sleep(20)
  await postgres.stop()
  expect(processesOf(dataDir)).toEqual([])
})

it('a Postgres of a killed process is adopted, and stopped at the end', async () => {
  const other = await startElsewhere(dataDir)
  await other.kill()
  const postgres = await start(dataDir)
  expect(postgres.pid).toBe(other.pid)
  expect(await ask(postgres.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await postgres.stop()
  expect(processesOf(dataDir)).toEqual([])
})

it('an adopted Postgres that is killed restarts by itself', async () => {
  const other = await startElsewhere(dataDir)
  await other.kill()
  const postgres = await start(dataDir)
  const adopted = postgres.pid
  process.kill(adopted, 'SIGKILL')
  await expect.poll(() => postgres.pid).not.toBe(adopted)
  expect(await ask(postgres.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await postgres.stop()
  expect(processesOf(dataDir)).toEqual([])
})

it('a start recovers if parent and Postgres were killed together with a connected client', async () => {
  const other = await startElsewhere(dataDir)
  const url = await runningPostgres(dataDir)
  const inside = new pg.Client({ connectionString: url! })
  inside.on('error', () => {})
  await inside.connect()
  await inside.query('drop table if exists kept; create table kept as select 3 as n')
  void inside.query('select pg_sleep(30)').catch(() => {})
  await other.kill()
  process.kill(other.pid, 'SIGKILL')
  const postgres = await start(dataDir)
  expect(postgres.pid).not.toBe(other.pid)
  expect(await ask(postgres.url, 'select n from kept')).toEqual([{ n: 3 }])
})

it('a leftover Postgres that does not answer is replaced', async () => {
  const other = await startElsewhere(dataDir)
  await other.kill()
  const pidFile = path.join(dataDir, 'postgres', 'postmaster.pid')
  const lines = readFileSync(pidFile, 'utf8').split('\n')
  // no process listens on that port
  writeFileSync(pidFile, lines.with(3, '1').join('\n'))
  const said: string[] = []
  const postgres = await start(dataDir, (line) => said.push(line))
  expect(postgres.pid).not.toBe(other.pid)
  expect(said.join('\n')).toContain(`does not answer (process ${other.pid})`)
})

it.each([
  ['a dead process', () => 4_194_000],
  ['a stranger', () => process.pid],
])('a pid file that names %s does not prevent a start', async (_, pid) => {
  await (await start(dataDir)).stop()
  writeFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), `${pid()}\n${dataDir}/postgres\n1\n5432\n\n127.0.0.1\n 1 1\nready\n`)
  expect(await ask((await start(dataDir)).url, 'select 1 as n')).toEqual([{ n: 1 }])
})

it('an interrupted first start is repeated', async () => {
  const dataDir = folder()
  mkdirSync(path.join(dataDir, 'postgres.new'))
  writeFileSync(path.join(dataDir, 'postgres.new', 'PG_VERSION'), '18\n')
  expect(await ask((await start(dataDir)).url, 'select 1 as n')).toEqual([{ n: 1 }])
  expect(existsSync(path.join(dataDir, 'postgres.new'))).toBe(false)
})

it('only one of two simultaneous starts succeeds; the other fails with one line', async () => {
  const [one, two] = await Promise.allSettled([start(dataDir), start(dataDir)])
  expect([one.status, two.status].sort()).toEqual(['fulfilled', 'rejected'])
  const { reason } = [one, two].find((outcome) => outcome.status === 'rejected') as PromiseRejectedResult
  expect(String(reason)).toMatch(/^Error: Another process runs the database in [^\n]+$/)
  expect(await ask((await runningPostgres(dataDir))!, 'select 1 as n')).toEqual([{ n: 1 }])
})

it('a start fails beside another process, and waits for one that is ending', async () => {
  const other = await startElsewhere(dataDir)
  await expect(start(dataDir)).rejects.toThrow('Another process runs the database')
  const pending = startPostgres({ dataDir, settings: quick })
  await other.kill()
  started.push(await pending)
})

it('tools get the address of the running Postgres, or null', async () => {
  expect(await runningPostgres(dataDir)).toBeNull()
  const postgres = await start(dataDir)
  expect(await runningPostgres(dataDir)).toBe(postgres.url)
})

it('a start takes another port if its port was taken meanwhile', async () => {
  const taken = createServer()
  const port = await new Promise<number>((resolve) => taken.listen(0, '127.0.0.1', () => resolve((taken.address() as AddressInfo).port)))
  const tries: number[] = []
  const account = unprivileged()
  const next = () => port + (tries.push(port) - 1)
  const settings = { ...quick, unix_socket_directories: '', listen_addresses: '127.0.0.1' }
  const launching = { program: programs(account)('postgres'), cluster: path.join(dataDir, 'postgres'), account, settings, log: () => {} }
  const running = await launchWithRetry(launching, next)
  expect(running.port).toBeGreaterThan(port)
  await halt(running)
  taken.close()
})
