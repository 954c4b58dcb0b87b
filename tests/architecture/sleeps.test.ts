import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Fixed sleeps in tests, with the reason. A test that expects nothing to come waits for a later marker instead. A
 * test that waits for a state repeats its check with `eventually` or `expect.poll`, which live in tests/support.
 */
const allowed: Record<string, string> = {
  'tests/http/session.test.ts': 'repeats a check',
  'tests/channels/hearing.test.ts': 'paces the writers',
  'tests/channels/outage.test.ts': 'an outage lasts some time',
  'tests/event-store/following.ts': 'paces the writers and the outage of a log',
  'tests/faults/bots.test.ts': 'paces the customers and the kills',
  'tests/faults/deploy.test.ts': 'paces the customers and the agent',
  'tests/faults/flood.test.ts': 'repeats a check',
  'tests/faults/kills.ts': 'paces the customers and the kills',
  'tests/faults/processes.test.ts': 'paces the kills',
  'tests/faults/stop.test.ts': 'a call is in flight when a process is stopped, or a second signal follows',
  'tests/faults/whatsapp.test.ts': 'Postgres is down for some time',
  'tests/message/phone.test.ts': 'a hold of two seconds runs out',
  'tests/queue/retire.test.ts': 'a lock is held longer than a pass waits for it',
  'tests/run.ts': 'ends a process that does not end',
  'tests/session/rights.test.ts': 'checks that presence caused are still running',
  'tests/start/embedded.test.ts': 'a process is restarting',
  'tests/scheduler/recurring.test.ts': 'a claim is held longer than its lease',
}

it('a test sleeps for a fixed time only with a listed reason', () => {
  const waits = /\bsleep\((?!ms\b)|\bwaitForTimeout\(|=> setTimeout\(\w+, [1-9]/
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'tests'], { cwd: root, encoding: 'utf8' })
  const found = files
    .split('\n')
    .filter((file) => /\.ts$/.test(file) && !/^tests\/(bench|support)\/|sleeps\.test\.ts$/.test(file))
    .filter((file) => waits.test(readFileSync(path.join(root, file), 'utf8')))
  expect(found.sort()).toEqual(Object.keys(allowed).sort())
})
