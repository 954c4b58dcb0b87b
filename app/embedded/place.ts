import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { type Account, ofRoot, reachable, shared } from './binaries.ts'

/** Where the database of a data folder is: in the folder, or where the account that runs Postgres can reach it. */
export type Place = { own: string; home: string }

const note = 'postgres.place'
const formerly = '/var/tmp'
/** All that a data folder holds, so that one with something else in it is left as it is. */
const ours = /^(postgres(\.\w+)*|media|uploads|backups|master\.key.*)$/

const hasCluster = (home: string) => existsSync(path.join(home, 'postgres', 'PG_VERSION'))
const standIn = (own: string, below = shared) => path.join(below, `guiche-${createHash('sha256').update(own).digest('hex').slice(0, 12)}`)

/** The database that a folder has, wherever it was put; null while it has none. Makes nothing. */
export function found(dataDir: string): Place | null {
  if (!existsSync(dataDir)) return null
  const own = realpathSync(dataDir)
  const noted = notedIn(own)
  if (noted !== null) {
    if (hasCluster(own))
      throw new Error(`${own} holds a database, and ${path.join(own, note)} names another in ${noted}: take one of them away.`)
    if (!hasCluster(noted))
      throw new Error(`${path.join(own, note)} says that the database is in ${noted}, and it is not there: put it back there.`)
    return { own, home: noted }
  }
  const home = [own, standIn(own), standIn(own, formerly)].find((place) => hasCluster(place) && (place === own || ofRoot(place)))
  return home === undefined ? null : { own, home }
}

/** The same, or where a new one is to be made. */
export function placed(dataDir: string, account: Account): Place {
  makeFolders(path.resolve(dataDir), account)
  const own = realpathSync(dataDir)
  const known = found(own)
  if (known && (known.home !== own || reachable(own, account))) return known
  if (known)
    throw new Error(
      `${own} holds a database, but the account that runs Postgres (uid ${account?.uid}) may not enter it: let others enter its folders.`,
    )
  if (reachable(own, account)) return { own, home: own }
  return { own, home: madeStandIn(standIn(own)) }
}

export const isFormer = ({ own, home }: Place) => home !== own && path.dirname(home) === formerly

/** Where nothing is cleaned and only root writes; an earlier release kept it in /var/tmp. The caller holds it still. */
export function movedToStay({ own, home }: Place): Place {
  const lasting = standIn(own)
  const { status, stderr } = spawnSync('mv', ['-n', '-T', home, lasting], { encoding: 'utf8' }) // across file systems, owners and all
  if (status !== 0 || !hasCluster(lasting)) throw new Error(`The database could not be moved from ${home} to ${lasting}: ${stderr.trim()}`)
  return { own, home: lasting }
}

/** Written down beside everything else, so that it is found again when the folder opens, moves or is looked at by a stranger. */
export function writeDown({ own, home }: Place): void {
  if (home === own || notedIn(own) === home) return
  const file = path.join(own, note)
  writeFileSync(`${file}.new`, `${home}\n`, { mode: 0o640 })
  renameSync(`${file}.new`, file)
}

function notedIn(own: string): string | null {
  const file = path.join(own, note)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

function madeStandIn(folder: string): string {
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o755) // the account passes through; what it finds there is closed
  }
  if (!ofRoot(folder))
    throw new Error(`${folder} does not belong to root alone: remove it, or set DATA_DIR to a folder which others may enter.`)
  return folder
}

/** The account passes through the folder and sees nothing of it; nobody else passes. A folder that holds what is not ours stays as it is. */
function makeFolders(dataDir: string, account: Account): void {
  for (const folder of missing(dataDir)) {
    mkdirSync(folder)
    chmodSync(folder, account === null ? 0o700 : 0o711)
  }
  const { uid, gid, mode } = statSync(dataDir)
  if ((mode & 0o007) === 0 || uid !== process.getuid?.()) return
  if (!readdirSync(dataDir).every((name) => ours.test(name))) return
  if (account !== null && gid !== account.gid) chownSync(dataDir, uid, account.gid)
  chmodSync(dataDir, account === null ? 0o700 : 0o710)
}

function missing(folder: string): string[] {
  return existsSync(folder) ? [] : [...missing(path.dirname(folder)), folder]
}
