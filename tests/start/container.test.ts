/** `docker/start.sh` with a stand-in for Node, as a container runs it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '#tests/support/wait.ts'
import { folder } from './compose.ts'

let place: string
beforeAll(() => {
  place = mkdtempSync(path.join(tmpdir(), 'guiche-container-'))
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** Starts the script with a `node` that runs these shell commands. */
function start(node: string) {
  writeFileSync(path.join(place, 'node'), `#!/bin/sh\n${node}\n`)
  chmodSync(path.join(place, 'node'), 0o755)
  const child = spawn('sh', [path.join(folder, 'start.sh'), 'node'], { env: { PATH: `${place}:${process.env.PATH}` }, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  return { child, ended: once(child, 'exit') as Promise<[number | null, string | null]>, output: () => output }
}
const output = (text: string) => (of: { output: () => string }) =>
  eventually(
    async () => of.output(),
    (all) => all.includes(text),
  )

it.each([0, 1, 137])('ends with the exit code %i of the server', async (code) => {
  expect(await start(`exit ${code}`).ended).toEqual([code, null])
})

it('passes a signal on and waits until the server has stopped', async () => {
  const server = start(`trap 'echo stopping; echo stopped; exit 0' TERM; echo started; while :; do sleep 0.1; done`)
  await output('started')(server)
  server.child.kill('SIGTERM')
  expect(await server.ended).toEqual([0, null])
  expect(server.output()).toBe('started\nstopping\nstopped\n')
})

it('waits after a refused start, so that no supervisor restarts it, and ends at a signal', async () => {
  const server = start('echo "PORT: must be a number" >&2; exit 78')
  await output('Start refused')(server)
  expect(server.output()).toMatch(/^PORT: must be a number\nStart refused; [^\n]+\n$/)
  expect(server.child.exitCode).toBeNull()
  server.child.kill('SIGTERM')
  expect(await server.ended).toEqual([null, 'SIGTERM'])
})
