/*
 * Measures the processor time of each test file: this worker with every process below it, such as servers and
 * browsers.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'

const log = process.env.GUICHE_TEST_TIMES
const ticksPerSecond = 100

/** Seconds of this process and its descendants so far. The time of an ended descendant is in its parent's. */
function secondsSoFar(): number {
  const all = new Map<number, { parent: number; ticks: number }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      all.set(Number(name), { parent: Number(fields[1]), ticks: fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0) })
    } catch {} // the process has ended meanwhile
  }
  const isBelow = (pid: number): boolean => pid === process.pid || (all.has(pid) && isBelow(all.get(pid)!.parent))
  return [...all].reduce((sum, [pid, { ticks }]) => (isBelow(pid) ? sum + ticks : sum), 0) / ticksPerSecond
}

if (log && existsSync('/proc/self/stat')) {
  let before = 0
  beforeAll(() => {
    before = secondsSoFar()
  })
  afterAll(() => appendFileSync(log, `${secondsSoFar() - before}\t${expect.getState().testPath}\n`))
}
