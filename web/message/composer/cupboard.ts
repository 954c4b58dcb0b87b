import { createStore, del, entries, get, keys, set } from 'idb-keyval'

/** Files that wait in a composer, or to leave, outlive the page: per user and place, so many bytes and days. */
type Kept = { at: number; files: File[] }
const mostOfPlace = 80 * 1024 * 1024
const mostOfAll = 320 * 1024 * 1024
const longest = 14 * 24 * 60 * 60 * 1000

let made: ReturnType<typeof createStore> | undefined
const shelf = () => (made ??= createStore('guiche', 'files'))
/** A draft's is its ticket; a message's that is on its way, its command. */
type Place = number | `out-${string}`
export const outgoing = (commandId: string): Place => `out-${commandId}`
const name = (userId: number, place: Place) => `${userId}-${place}`
const size = (files: readonly File[]) => files.reduce((sum, file) => sum + file.size, 0)

/** Resolves to whether they are kept; a full or forbidden storage keeps them for this page only. */
export async function keepFiles(userId: number, place: Place, files: File[]): Promise<boolean> {
  try {
    if (files.length === 0 || size(files) > mostOfPlace) {
      await del(name(userId, place), shelf())
      return files.length === 0
    }
    await set(name(userId, place), { at: Date.now(), files } satisfies Kept, shelf())
    await sweep()
    return true
  } catch {
    return false
  }
}
export const keptFiles = async (userId: number, place: Place): Promise<File[]> =>
  get<Kept>(name(userId, place), shelf()).then(
    (kept) => kept?.files ?? [],
    () => [],
  )
/** The tickets in whose composer files of this user wait. */
export const keptPlaces = async (userId: number): Promise<number[]> =>
  keys<string>(shelf()).then(
    (all) => all.flatMap((key) => (new RegExp(`^${userId}-\\d+$`).test(key) ? [Number(key.slice(`${userId}-`.length))] : [])),
    () => [],
  )
/** What was attached or on its way is gone with who attached it: of everybody but `but`, and of everybody at sign-out. */
export async function forgetFiles(but: number | null): Promise<void> {
  const all = await keys<string>(shelf())
  await Promise.all(all.filter((key) => !key.startsWith(`${but}-`)).map((key) => del(key, shelf())))
}

async function sweep(): Promise<void> {
  const all = await entries<string, Kept>(shelf())
  let room = mostOfAll
  for (const [key, kept] of all.toSorted(([, a], [, b]) => b.at - a.at)) {
    room -= size(kept.files)
    if (room < 0 || Date.now() - kept.at > longest) await del(key, shelf())
  }
}
