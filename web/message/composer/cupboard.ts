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
/** What was attached is gone with who attached it: of everybody but `but`, and of everybody at sign-out. */
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
