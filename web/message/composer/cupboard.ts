import { createStore, del, entries, get, keys, set } from 'idb-keyval'

/** Files that wait in a composer outlive the page: per user and ticket, so many bytes and days. */
type Kept = { at: number; files: File[] }
const mostOfTicket = 80 * 1024 * 1024
const mostOfAll = 320 * 1024 * 1024
const longest = 14 * 24 * 60 * 60 * 1000

let made: ReturnType<typeof createStore> | undefined
const shelf = () => (made ??= createStore('guiche', 'files'))
const name = (userId: number, ticketId: number) => `${userId}-${ticketId}`
const size = (files: readonly File[]) => files.reduce((sum, file) => sum + file.size, 0)

/** Resolves to whether they are kept; a full or forbidden storage keeps them for this page only. */
export async function keepFiles(userId: number, ticketId: number, files: File[]): Promise<boolean> {
  try {
    if (files.length === 0 || size(files) > mostOfTicket) {
      await del(name(userId, ticketId), shelf())
      return files.length === 0
    }
    await set(name(userId, ticketId), { at: Date.now(), files } satisfies Kept, shelf())
    await sweep()
    return true
  } catch {
    return false
  }
}
export const keptFiles = async (userId: number, ticketId: number): Promise<File[]> =>
  get<Kept>(name(userId, ticketId), shelf()).then(
    (kept) => kept?.files ?? [],
    () => [],
  )
/** What this user left here; the next one at the machine finds nothing. */
export async function forgetFiles(userId: number): Promise<void> {
  const mine = await keys<string>(shelf())
  await Promise.all(mine.filter((key) => key.startsWith(`${userId}-`)).map((key) => del(key, shelf())))
}

async function sweep(): Promise<void> {
  const all = await entries<string, Kept>(shelf())
  let room = mostOfAll
  for (const [key, kept] of all.toSorted(([, a], [, b]) => b.at - a.at)) {
    room -= size(kept.files)
    if (room < 0 || Date.now() - kept.at > longest) await del(key, shelf())
  }
}
