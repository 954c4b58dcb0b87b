import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPostgres } from '#app/embedded/database.ts'
import { startProcess } from '#tests/support/processes.ts'
import type { Figure } from './bench.ts'
import { round } from './measure.ts'

const tries = 5

/**
 * `node app/main.ts` on the data folder with its own Postgres, from the start of the process to the first 200 of
 * /api/version.
 */
export const coldStart: Figure = async ({ dataDir, aside }) => {
  const cache = mkdtempSync(path.join(tmpdir(), 'guiche-bench-cache-'))
  const start = async () => {
    const began = performance.now()
    const server = await startProcess({ DATA_DIR: dataDir, DEMO: '0', SANDBOX: '1', NODE_COMPILE_CACHE: cache })
    const { status } = await fetch(`${server.url}/api/version`)
    const ms = performance.now() - began
    await server.stop()
    if (status !== 200) throw new Error(`/api/version answered ${status}`)
    return ms
  }
  try {
    const { first, later, postgres, node } = await aside(async () => {
      const postgres = await timed(async () => (await startPostgres({ dataDir })).stop())
      const node = await timed(async () => void spawnSync(process.execPath, ['-e', '0']))
      const first = await start()
      const later: number[] = []
      for (let i = 0; i < tries; i++) later.push(await start())
      return { first, later: later.toSorted((a, b) => a - b), postgres, node }
    })
    const median = later[Math.floor(tries / 2)]!
    return [
      {
        figure: 'P16',
        what: 'cold start to the first answer with existing data (embedded)',
        ours: `${round(median)} ms, worst of ${tries} ${round(later.at(-1)!)} ms; with nothing compiled yet ${round(first)} ms`,
        floor: `Postgres up and down ${round(postgres)} ms, an empty node ${round(node)} ms`,
        goal: '≤ 2 s',
        reference: '< 8 s',
        held: later.at(-1)! <= 2000,
        raw: { first, later, postgres, node },
      },
    ]
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}

async function timed(act: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}
