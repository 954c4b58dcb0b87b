import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const setup = new URL('../../app/setup.mjs', import.meta.url)
let root: string
const children: ChildProcess[] = []

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), `guiche-test-${process.pid}-`))
  put('package.json', '{ "name": "small", "scripts": { "start": "node app/setup.mjs child.mjs" } }')
  put('package-lock.json', lockfile(1))
  mkdirSync(path.join(root, 'app'))
  copyFileSync(setup, path.join(root, 'app', 'setup.mjs'))
  put('node_modules/.bin/.keep', '')
  symlinkSync(process.execPath, path.join(root, 'node_modules', '.bin', 'node'))
  put('node_modules/.package-lock.json', '{ "packages": {} }')
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

const lockfile = (version: number) =>
  JSON.stringify({ name: 'small', version: `${version}.0.0`, lockfileVersion: 3, packages: { '': { name: 'small' } } })

function put(name: string, text: string) {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
  writeFileSync(path.join(root, name), text)
}

/** Runs a program and collects its output. `said` waits for a word in it. */
function start(command: string, args: string[], env: Record<string, string> = {}) {
  const { GUICHE_SETUP: _, NODE_COMPILE_CACHE: __, npm_lifecycle_event: ___, ...rest } = process.env
  const child = spawn(command, args, { cwd: root, env: { ...rest, ...env }, stdio: 'pipe' })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const said = (word: string) => expect.poll(() => text).toContain(word)
  return { child, ended, said, text: () => text }
}

const run = (args: string[], env?: Record<string, string>) => start(process.execPath, ['app/setup.mjs', ...args], env)

/** A server that takes 200 ms to stop and counts the signals it got. */
const server = `
let told = 0
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {
  if (++told > 1) return
  setTimeout(() => { console.log(\`stopped \${signal} \${told}\`); process.exit(0) }, 200)
})
setInterval(() => {}, 1000)
console.log(\`serving as \${process.pid}.\`)
`

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

it('setup passes on arguments, exit code and environment', async () => {
  put(
    'child.mjs',
    `console.log(process.argv.slice(2).join(), process.env.PATH.split(':')[0], process.env.NODE_COMPILE_CACHE); process.exit(7)`,
  )
  const { ended, text } = run(['child.mjs', 'a', '--b'])
  expect(await ended).toBe(7)
  expect(text().trim()).toBe(`a,--b ${root}/node_modules/.bin ${root}/node_modules/.cache/node`)
})

it('setup exits as a shell does if a signal killed the child', async () => {
  put('child.mjs', `process.kill(process.pid, 'SIGKILL')`)
  expect(await run(['child.mjs']).ended).toBe(137)
})

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'setup passes %s on once, however often it comes, and lets the child stop cleanly',
  async (signal) => {
    put('child.mjs', server)
    const { child, ended, said, text } = run(['child.mjs'])
    await said('serving as')
    child.kill(signal)
    setTimeout(() => child.kill(signal), 60)
    expect(await ended).toBe(0)
    expect(text()).toContain(`stopped ${signal} 1`)
  },
)

/** A terminal of its own. `exec` replaces `sh`, which would otherwise die of Ctrl-C and end the test early. */
const terminal = (command: string) => start('script', ['-qec', `exec ${command}`, '/dev/null'], { SHELL: '/bin/sh' })

it('setup leaves Ctrl-C to the terminal, which signals the child itself', async () => {
  put('child.mjs', server)
  const { child, ended, said, text } = terminal(`${process.execPath} app/setup.mjs child.mjs`)
  await said('serving as')
  child.stdin.write('\x03')
  expect(await ended, text()).toBe(0)
  expect(text()).toContain('stopped SIGINT 1')
})

it('Ctrl-C on npm start leaves no process, even though npm’s shell ends first', async () => {
  put('child.mjs', server)
  const { child, ended, said, text } = terminal('npm start')
  await said('serving as')
  const pid = Number(text().match(/serving as (\d+)\./)![1])
  child.stdin.write('\x03')
  await said('stopped SIGINT 1')
  await ended
  await expect.poll(() => alive(pid)).toBe(false)
})

it('the child stops if its parent is killed', async () => {
  put('child.mjs', `${server}\nprocess.stdout.on('error', () => {})`)
  put(
    'parent.mjs',
    `import { spawn } from 'node:child_process'\nspawn(process.execPath, ['app/setup.mjs', 'child.mjs'], { stdio: 'inherit' })`,
  )
  const parent = start(process.execPath, ['parent.mjs'])
  await parent.said('serving as')
  const pid = Number(parent.text().match(/serving as (\d+)\./)![1])
  parent.child.kill('SIGKILL')
  await parent.said('stopped SIGTERM 1')
  await expect.poll(() => alive(pid)).toBe(false)
})

it('killing npm leaves no process', async () => {
  put('child.mjs', server)
  const npm = start('npm', ['start'])
  await npm.said('serving as')
  const pid = Number(npm.text().match(/serving as (\d+)\./)![1])
  npm.child.kill('SIGKILL')
  await expect.poll(() => alive(pid)).toBe(false)
})

/** An npm that records its arguments. */
const npm = `
const { appendFileSync } = require('node:fs')
appendFileSync('asked', process.argv.slice(2).join(' ') + '\\n')
`
const asked = () => (existsSync(path.join(root, 'asked')) ? readFileSync(path.join(root, 'asked'), 'utf8').trim().split('\n') : [])

it('a changed lockfile is installed once, with one line of output', async () => {
  put('npm.js', npm)
  put('child.mjs', '')
  put('package-lock.json', JSON.stringify({ packages: { '': {}, 'node_modules/a': { version: '1.0.0' } } }))
  const first = run(['child.mjs'], { npm_execpath: path.join(root, 'npm.js') })
  expect(await first.ended).toBe(0)
  expect(first.text().trim()).toMatch(/^Installing the packages of package-lock.json[^\n]*$/)
  const second = run(['child.mjs'], { npm_execpath: path.join(root, 'npm.js') })
  expect(await second.ended).toBe(0)
  expect(second.text()).toBe('')
  expect(asked()).toEqual(['ci --ignore-scripts --no-audit --no-fund --loglevel=error'])
})

it('packages are not installed again after a complete npm install', async () => {
  put('npm.js', npm)
  put('child.mjs', '')
  const packages = { 'node_modules/a': { version: '1.0.0' }, 'node_modules/mac': { version: '1.0.0', optional: true } }
  put('package-lock.json', JSON.stringify({ packages }))
  put('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }))
  expect(await run(['child.mjs'], { npm_execpath: path.join(root, 'npm.js') }).ended).toBe(0)
  expect(asked()).toEqual([])
})

it('a failed installation ends with one line', async () => {
  put('npm.js', 'process.exit(1)')
  put('package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }))
  const { ended, text } = run(['child.mjs'], { npm_execpath: path.join(root, 'npm.js') })
  expect(await ended).toBe(1)
  expect(text()).toContain('npm ci failed')
})

it('the client is built if it changed, and only for the server', async () => {
  put('app/main.ts', '')
  put('app/other.ts', '')
  put('web/vite.config.ts', '')
  put('node_modules/vite/bin/vite.js', npm)
  expect(await run(['app/other.ts']).ended).toBe(0)
  expect(asked()).toEqual([])
  const first = run(['app/main.ts'])
  expect(await first.ended).toBe(0)
  expect(first.text().trim()).toBe('Building the web client…')
  expect(await run(['app/main.ts']).ended).toBe(0)
  expect(asked()).toHaveLength(1)
  put('domain/ticket/events.ts', 'export {}')
  expect(await run(['build']).ended).toBe(0)
  expect(asked()).toHaveLength(2)
})

it('a failed build shows its output and prevents the start', async () => {
  put('app/main.ts', `console.log('started')`)
  put('web/vite.config.ts', '')
  put('node_modules/vite/bin/vite.js', `console.error('no such import'); process.exit(1)`)
  const { ended, text } = run(['app/main.ts'])
  expect(await ended).toBe(1)
  expect(text()).toMatch(/no such import\nThe web client could not be built\.\n$/)
})
