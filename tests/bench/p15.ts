import type { Figure } from './bench.ts'

/** The one process of all roles, after whatever was measured before in this run. */
export const p15: Figure = async ({ server, rssMb }) => {
  const { pid } = await server()
  const now = rssMb(pid)
  const peak = rssMb(pid, true)
  return [
    {
      figure: 'P15',
      what: 'memory of the whole server process after the figures before it',
      ours: `${now} MB, at most ${peak} MB`,
      floor: '–',
      goal: '≤ 300 MB',
      reference: '276 MB',
      held: now <= 300,
      raw: { now, peak },
    },
  ]
}
