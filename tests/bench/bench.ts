import { createHmac, hkdfSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { createMasterKeyFile } from '#app/bootstrap/databases.ts'
import { type EmbeddedPostgres, startPostgres } from '#app/embedded/database.ts'
import type { Database } from '#projections/database.ts'
import { openStore } from '#projections/postgres.ts'
import { type Running, startProcess } from '#tests/support/processes.ts'
import type { BenchPlace, Person } from './place.ts'

/** One line of the table. `ours` and `floor` come from this run; `reference` and `goal` are given values. */
export type Measured = {
  figure: string
  what: string
  ours: string
  floor: string
  goal: string
  reference: string
  held: boolean | null
  raw: object
}
export type Figure = (bench: Bench) => Promise<Measured[]>

/** The data set with its Postgres (fsync on) and a server process. */
export type Bench = {
  small: boolean
  seconds: (usual: number) => number
  dataDir: string
  activeTickets: BenchPlace
  db: Kysely<Database>
  pool: pg.Pool
  url: () => string
  masterKey: Buffer
  /** The environment of a server that writes a profile, if one is wanted. */
  profiled: Record<string, string>
  token: (person: Person) => string
  /** The server, started if none runs. */
  server: () => Promise<Running>
  /** The addresses of its web processes. */
  webs: () => Promise<string[]>
  /** Runs `act` with the same data behind two webs, a projector and a worker as separate processes. */
  apart: <T>(act: (bench: Bench) => Promise<T>) => Promise<T>
  /** Stops server and Postgres, gives `act` the data folder, and starts Postgres again. */
  aside: <T>(act: () => Promise<T>) => Promise<T>
  rssMb: (pid: number, peak?: boolean) => number
  /** Processor time so far in milliseconds, which other load on the same cores does not change. */
  cpu: () => Promise<Cpu>
  close: () => Promise<void>
}

export type Cpu = { server: number; postgres: number }
/** The processor time in milliseconds that each side spent on one of `n` acts. */
export const each = (before: Cpu, after: Cpu, n: number): Cpu => ({
  server: round((after.server - before.server) / n, 100),
  postgres: round((after.postgres - before.postgres) / n, 100),
})
export const costs = ({ server, postgres }: Cpu) => `CPU ${server} + ${postgres} ms`
const round = (value: number, by: number) => Math.round(value * by) / by

type Options = { dataDir: string; activeTickets: BenchPlace; small: boolean; seconds: number | null; profile: string | null }

export async function openBench({ dataDir, activeTickets, small, seconds, profile }: Options): Promise<Bench> {
  const masterKey = await createMasterKeyFile(dataDir)
  const secret = Buffer.from(hkdfSync('sha256', masterKey, '', 'access tokens', 32))
  let postgres: EmbeddedPostgres = await startPostgres({ dataDir })
  let store = openStore(postgres.url, 8)
  let running: Running | null = null
  const signed = new Map<string, string>()

  const profiled = profile === null ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` }
  const env = () => ({
    ...{
      DATABASE_URL: postgres.url,
      MASTER_KEY: masterKey.toString('base64'),
      DATA_DIR: dataDir,
      DEMO: '0',
      SANDBOX: '1',
      LOG_LEVEL: 'warn',
    },
    ...profiled,
  })
  async function down(): Promise<void> {
    await running?.stop()
    const said =
      running
        ?.output()
        .split('\n')
        .filter((line) => line.startsWith('{')) ?? []
    for (const line of said.slice(0, 5)) console.error(`  server: ${line.slice(0, 300)}`)
    running = null
    await store.db.destroy()
    await postgres.stop()
  }

  const bench: Bench = {
    ...{ small, dataDir, activeTickets, masterKey, profiled },
    seconds: (usual) => seconds ?? (small ? Math.min(usual, 5) : usual),
    get db() {
      return store.db
    },
    get pool() {
      return store.pool
    },
    url: () => postgres.url,
    token({ sessionId }) {
      const token = signed.get(sessionId) ?? sign({ sid: sessionId }, secret)
      signed.set(sessionId, token)
      return token
    },
    async server() {
      running ??= await startProcess(env())
      return running
    },
    webs: async () => [(await bench.server()).url],
    async apart(act) {
      await running?.stop()
      running = null
      const all: Running[] = []
      const own = () => all.reduce((sum, { pid }) => sum + used(pid).own, 0)
      try {
        for (const role of ['web', 'web', 'projector', 'worker']) all.push(await startProcess({ ...env(), ROLES: role }))
        const cpu = async () => ({ server: own(), postgres: postgresTime(postgres.pid) })
        return await act({ ...bench, cpu, webs: async () => all.slice(0, 2).map(({ url }) => url) })
      } finally {
        await Promise.all(all.map((one) => one.stop()))
      }
    },
    async aside(act) {
      await down()
      try {
        return await act()
      } finally {
        postgres = await startPostgres({ dataDir })
        store = openStore(postgres.url, 8)
      }
    },
    cpu: async () => ({ server: running ? used(running.pid).own : 0, postgres: postgresTime(postgres.pid) }),
    rssMb: (pid, peak = false) =>
      Math.round(
        Number(new RegExp(`${peak ? 'VmHWM' : 'VmRSS'}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
      ),
    close: down,
  }
  return bench
}

/** Kernel ticks of 10 ms: the process's own, and those of its ended children. */
function used(pid: number | string): { own: number; ended: number; parent: number } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  return { own: (fields[11]! + fields[12]!) * 10, ended: (fields[13]! + fields[14]!) * 10, parent: fields[1]! }
}
function postgresTime(postmaster: number): number {
  const { own, ended } = used(postmaster)
  let total = own + ended
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const one = used(pid)
      if (one.parent === postmaster) total += one.own
    } catch {} // the process has ended meanwhile
  return total
}

/** The processor times of a server and of its Postgres, found through one known session. */
export function cpuOf(server: number, session: number): () => Cpu {
  const postmaster = used(session).parent
  return () => ({ server: used(server).own, postgres: postgresTime(postmaster) })
}

function sign(claims: object, secret: Buffer): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ ...claims, iat: now, exp: now + 24 * 3600 })}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
