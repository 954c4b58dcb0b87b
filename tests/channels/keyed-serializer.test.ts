import { expect, it } from 'vitest'
import { createKeyedSerializer, createSerializer } from '#app/concurrency/keyed-serializer.ts'

/** A task that ends when the test says so. `log` receives its start and its end. */
function task(log: string[], name: string) {
  const gate = Promise.withResolvers<void>()
  const run = async () => {
    log.push(`${name} starts`)
    await gate.promise
    log.push(`${name} ends`)
    return name
  }
  return { run, end: gate.resolve, fail: () => gate.reject(new Error(name)) }
}

it('runs tasks of one key in the order of their calls, and other keys in parallel', async () => {
  const log: string[] = []
  const [a, b, c] = [task(log, 'a'), task(log, 'b'), task(log, 'c')]
  const serializer = createKeyedSerializer<string>()
  const all = [serializer.run(['ana'], a.run), serializer.run(['ana'], b.run), serializer.run(['bia'], c.run)]
  for (const one of [b, c, a]) one.end()
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c'])
  expect(log.indexOf('b starts')).toBeGreaterThan(log.indexOf('a ends'))
  expect(log.indexOf('c starts')).toBeLessThan(log.indexOf('a ends'))
})

it('a task with several keys waits for each, and later tasks of each key wait for it', async () => {
  const log: string[] = []
  const [a, b, both, later] = [task(log, 'a'), task(log, 'b'), task(log, 'both'), task(log, 'later')]
  const serializer = createKeyedSerializer<string>()
  const all = [
    serializer.run(['1'], a.run),
    serializer.run(['2'], b.run),
    serializer.run(['1', '2'], both.run),
    serializer.run(['2'], later.run),
  ]
  for (const one of [later, both, b, a]) one.end()
  await Promise.all(all)
  expect(log.filter((line) => line.endsWith('starts'))).toEqual(['a starts', 'b starts', 'both starts', 'later starts'])
  expect(log.slice(-4)).toEqual(['both starts', 'both ends', 'later starts', 'later ends'])
})

it('a failed task rejects its own promise only', async () => {
  const log: string[] = []
  const [a, b] = [task(log, 'a'), task(log, 'b')]
  const serializer = createSerializer()
  const first = serializer.run(a.run)
  const second = serializer.run(b.run)
  a.fail()
  b.end()
  await expect(first).rejects.toThrow('a')
  expect(await second).toBe('b')
})

it('is idle when every task has ended, whether it failed or not', async () => {
  const log: string[] = []
  const [a, b] = [task(log, 'a'), task(log, 'b')]
  const serializer = createKeyedSerializer<number>()
  const failed = serializer.run([1], a.run).catch(() => 'failed')
  void serializer.run([2], b.run)
  const idle = serializer.idle().then(() => log.push('idle'))
  a.fail()
  b.end()
  await idle
  expect(await failed).toBe('failed')
  expect(log.at(-1)).toBe('idle')
  expect(log).toContain('b ends')
})
