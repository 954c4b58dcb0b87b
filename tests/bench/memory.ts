import type { Figure } from './bench.ts'

/** The memory of the process with all roles after the earlier benchmarks of this run, and the part of its heap. */
export const memory: Figure = async ({ server, rssMb }) => {
  const { pid, url } = await server()
  const told = await (await fetch(`${url}/metrics`)).text()
  const mb = (name: string) => Math.round(Number(new RegExp(`^${name}(?:\\{.*\\})? (.+)$`, 'm').exec(told)?.[1]) / 2 ** 20)
  const heap = {
    used: mb('nodejs_heap_size_used_bytes'),
    taken: mb('nodejs_heap_size_total_bytes'),
    outside: mb('nodejs_external_memory_bytes'),
  }
  const now = rssMb(pid)
  const peak = rssMb(pid, true)
  return [
    {
      figure: 'P15',
      what: 'memory of the server process after the earlier benchmarks',
      ours: `${now} MB, at most ${peak} MB; heap ${heap.used} of ${heap.taken} MB, buffers ${heap.outside} MB`,
      floor: '–',
      goal: '≤ 300 MB',
      reference: '276 MB',
      held: now <= 300,
      raw: { now, peak, heap },
    },
  ]
}
