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

/** Where the database of the data folder `own` is: in that folder, or in one that the account of Postgres can enter. */
export type EmbeddedPlace = { own: string; home: string }

const placeFile = 'postgres.place'
/** Names of files in a data folder. A folder that contains other files keeps its permissions. */
const ours = /^(postgres(\.\w+)*|media|uploads|backups|master\.key.*)$/

const hasCluster = (home: string) => existsSync(path.join(home, 'postgres', 'PG_VERSION'))
const externalFolder = (own: string) => path.join(shared, `guiche-${createHash('sha256').update(own).digest('hex').slice(0, 12)}`)

/** Finds the database of a data folder; null if there is none yet. Creates nothing. */
export function found(dataDir: string): EmbeddedPlace | null {
  if (!existsSync(dataDir)) return null
  const own = realpathSync(dataDir)
  const recorded = readRecordedPlace(own)
  if (recorded !== null) {
    if (hasCluster(own))
      throw new Error(`${own} holds a database, and ${path.join(own, placeFile)} names another in ${recorded}: take one of them away.`)
    if (!hasCluster(recorded))
      throw new Error(`${path.join(own, placeFile)} says that the database is in ${recorded}, and it is not there: put it back there.`)
    return { own, home: recorded }
  }
  const home = [own, externalFolder(own)].find((place) => hasCluster(place) && (place === own || ofRoot(place)))
  return home === undefined ? null : { own, home }
}

/** Finds the database of a data folder, or chooses the place for a new one. */
export function placed(dataDir: string, account: Account): EmbeddedPlace {
  makeFolders(path.resolve(dataDir), account)
  const own = realpathSync(dataDir)
  const known = found(own)
  if (known && (known.home !== own || reachable(own, account))) return known
  if (known)
    throw new Error(
      `${own} holds a database, but the account that runs Postgres (uid ${account?.uid}) may not enter it: let others enter its folders.`,
    )
  if (reachable(own, account)) return { own, home: own }
  return { own, home: createExternalFolder(externalFolder(own)) }
}

/** Stores the place in the data folder, so that it is found later, also after the folder has moved or its permissions have changed. */
export function recordPlace({ own, home }: EmbeddedPlace): void {
  if (home === own || readRecordedPlace(own) === home) return
  const file = path.join(own, placeFile)
  writeFileSync(`${file}.new`, `${home}\n`, { mode: 0o640 })
  renameSync(`${file}.new`, file)
}

function readRecordedPlace(own: string): string | null {
  const file = path.join(own, placeFile)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

function createExternalFolder(folder: string): string {
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o755) // the account must pass through; the contents have their own permissions
  }
  if (!ofRoot(folder))
    throw new Error(`${folder} does not belong to root alone: remove it, or set DATA_DIR to a folder which others may enter.`)
  return folder
}

/** Lets only the account of Postgres pass through the folder, without reading it. A folder with other files stays unchanged. */
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
