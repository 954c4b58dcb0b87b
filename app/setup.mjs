// Prepares `npm start` and `npm test`, also on a fresh clone: packages, Node and the web client. Runs on Node 20 without dependencies.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const inside = (...parts) => path.join(root, ...parts)
const windows = process.platform === 'win32'
const [target, ...rest] = process.argv.slice(2)

const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
const sha256 = (content) => createHash('sha256').update(content).digest('hex')

function giveUp(line) {
  console.error(line)
  process.exit(1)
}

function install() {
  const stamp = inside('node_modules', '.guiche-lock')
  const lock = read(inside('package-lock.json'))
  if (read(stamp) === sha256(lock)) return
  if (!isInstalled(lock)) npmCi()
  mkdirSync(inside('node_modules'), { recursive: true })
  writeFileSync(stamp, sha256(lock))
}

/** True if npm's own lockfile of installed packages has all we need, as after an `npm install <package>`. */
function isInstalled(lock) {
  const installed = read(inside('node_modules', '.package-lock.json'))
  if (installed === '') return false
  const have = JSON.parse(installed).packages
  const wanted = Object.entries(JSON.parse(lock).packages).filter(
    ([name, { optional, dev }]) => name !== '' && !optional && !(dev && prebuilt()),
  )
  return wanted.every(([name, { version, integrity }]) => have[name]?.version === version && have[name]?.integrity === integrity)
}

function npmCi() {
  console.log('Installing the packages of package-lock.json (npm ci), about a minute…')
  const npm = process.env.npm_execpath
  // without npm's warnings, which concern the installing Node and not the one that will run
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const [command, all] = npm?.endsWith('.js') ? [process.execPath, [npm, ...args]] : [windows ? 'npm.cmd' : 'npm', args]
  const { status, error } = spawnSync(command, all, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: command === 'npm.cmd' })
  if (status !== 0) giveUp(`npm ci failed${error ? `: ${error.message}` : ''}; see its output above.`)
}

function chooseNode() {
  const packed = windows ? inside('node_modules', `node-win-${process.arch}`, 'bin', 'node.exe') : inside('node_modules', '.bin', 'node')
  if (existsSync(packed)) return packed
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return giveUp(`Guichê needs Node 24 or newer, and this is ${process.version}: install it and start again.`)
}

/** True in a production image, which contains the built client. */
function prebuilt() {
  return process.env.NODE_ENV === 'production' && existsSync(inside('web', 'dist', 'index.html'))
}

function buildClient(node) {
  if ((prebuilt() && target !== 'build') || !existsSync(inside('web', 'vite.config.ts'))) return
  const stamp = inside('web', 'dist', '.stamp')
  const print = fingerprint()
  if (read(stamp) === print) return
  console.log('Building the web client…')
  const vite = inside('node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--config', inside('web', 'vite.config.ts'), '--logLevel', 'warn']
  const { status, stdout, stderr } = spawnSync(node, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) giveUp(`${`${stdout}${stderr}`.trim().split('\n').slice(-30).join('\n')}\nThe web client could not be built.`)
  mkdirSync(path.dirname(stamp), { recursive: true })
  compress(path.dirname(stamp))
  writeFileSync(stamp, print)
}

/** Compresses the client files once with the best compression, so that no request has to. */
function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(js|css|html|svg|webmanifest)$/.test(name)) continue
    const file = path.join(folder, name)
    const plain = readFileSync(file)
    if (plain.length < 1024) continue
    writeFileSync(`${file}.br`, brotliCompressSync(plain))
    writeFileSync(`${file}.gz`, gzipSync(plain, { level: 9 }))
  }
}

function fingerprint() {
  const hash = createHash('sha256').update('brotli and gzip')
  for (const file of [...filesOf('domain'), ...filesOf('web'), 'package-lock.json'])
    hash.update(`${file}\0`).update(readFileSync(inside(file)))
  return hash.digest('hex')
}

function filesOf(folder) {
  if (folder === path.join('web', 'dist') || !existsSync(inside(folder))) return []
  const entries = readdirSync(inside(folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const name = path.join(folder, entry.name)
    return entry.isDirectory() ? filesOf(name) : entry.isFile() ? [name] : []
  })
}

function run(node) {
  const bin = inside('node_modules', '.bin')
  const [pathName = 'PATH'] = Object.keys(process.env).filter((name) => name.toUpperCase() === 'PATH')
  const env = {
    ...process.env,
    [pathName]: [bin, process.env[pathName]].join(path.delimiter),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? inside('node_modules', '.cache', 'node'),
    MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
    GUICHE_SETUP: 'done',
  }
  // Registered before the child starts: without a listener a signal would kill this process and orphan the child.
  forwardSignals((signal) => child.kill(signal))
  const child = spawn(node, ['--max-semi-space-size=8', path.resolve(root, target), ...rest], { cwd: root, env, stdio: 'inherit' })
  child.once('error', (error) => giveUp(`${node} does not run here: ${error.message}`))
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
  if (!windows) followParent(child)
}

/** Forwards signals. A terminal sends SIGINT also to the child, and a second one would interrupt its clean shutdown. */
function forwardSignals(send) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    let signalledAt = 0
    process.on(signal, () => {
      if ((signal === 'SIGINT' && inFrontOfTerminal()) || Date.now() - signalledAt < 1000) return
      signalledAt = Date.now()
      send(signal)
    })
  }
}

function inFrontOfTerminal() {
  if (process.platform !== 'linux') return Boolean(process.stdin.isTTY)
  const [, , group, , , foreground] = statOf('self') ?? []
  return group !== undefined && group === foreground
}

/** The fields after the name in /proc/<pid>/stat: state, parent, group, session, terminal, foreground group. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** Stops the child when our parent ends, because a killed npm sends no signal. npm may run us through a shell. */
function followParent(child) {
  const parents = () => [process.ppid, shellOfNpm ? statOf(process.ppid)?.[1] : ''].join()
  const shellOfNpm = process.env.npm_lifecycle_event !== undefined && /^(ba|da|a)?sh$/.test(read(`/proc/${process.ppid}/comm`).trim())
  const before = parents()
  const timer = setInterval(() => {
    if (parents() === before) return
    clearInterval(timer)
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), 30_000)
  }, 500)
}

if (target === undefined) giveUp('usage: node app/setup.mjs <file> [arguments], or node app/setup.mjs build')
// a test that starts another server must not reinstall the packages that the test run uses
const nested = process.env.GUICHE_SETUP === 'done'
if (!nested) install()
const node = chooseNode()
const starts = path.normalize(target) === path.join('app', 'main.ts')
if (target === 'build' || (starts && !nested)) buildClient(node)
if (target !== 'build') run(node)
