import { createStore, del, entries, get, keys, set } from 'idb-keyval'
import { type Box, type Mode, modeFor } from './drafts.ts'

/** Files that wait in a composer, or to leave, outlive the page: per user and place, so many bytes and days. */
type Kept = { at: number; files: File[] }
type KeptPart = Kept & { tape: Omit<Part, 'data'> }
const mostOfPlace = 80 * 1024 * 1024
const mostOfAll = 320 * 1024 * 1024
const longest = 14 * 24 * 60 * 60 * 1000

let made: ReturnType<typeof createStore> | undefined
const shelf = () => (made ??= createStore('guiche', 'files'))
/** A draft's is its ticket and mode; a message's that is on its way, its command. */
type Place = Box | `out-${string}`
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
/** The tickets in whose composer files of this user wait, and who is to read them. */
export const keptPlaces = async (userId: number): Promise<{ ticketId: number; mode: Mode }[]> =>
  keys<string>(shelf()).then(
    (all) =>
      all.flatMap((key) => {
        const [, note, ticketId] = new RegExp(`^${userId}-(note-)?(\\d+)$`).exec(key) ?? []
        return ticketId ? [{ ticketId: Number(ticketId), mode: modeFor(note !== undefined) }] : []
      }),
    () => [],
  )
/** A recording that runs, in the tab that records it. */
export type Tape = { tab: string; ticketId: number; name: string; type: string }
/** So many bytes of it, numbered from 0. */
export type Part = Tape & { at: number; data: Blob }
const tapes = (userId: number) => `${userId}-tape-`
const partsOf = (userId: number, { tab, name }: Tape) => `${tapes(userId)}${tab}-${name}-`

export async function putPart(userId: number, { data, ...tape }: Part): Promise<void> {
  const kept: KeptPart = { at: Date.now(), files: [new File([data], tape.name, { type: tape.type })], tape }
  await set(`${partsOf(userId, tape)}${tape.at}`, kept, shelf()).catch(() => undefined) // a full storage keeps it for this page only
}
/** Every recording of this user that has parts here. */
export async function tapesOf(userId: number): Promise<{ tape: Tape; parts: Blob[] }[]> {
  const all = await entries<string, KeptPart>(shelf()).catch(() => [])
  const own = all.flatMap(([key, kept]) => (key.startsWith(tapes(userId)) ? [kept] : [])).toSorted((a, b) => a.tape.at - b.tape.at)
  return [...Map.groupBy(own, ({ tape }) => partsOf(userId, tape)).values()].map((parts) => ({
    tape: parts[0]!.tape,
    parts: parts.flatMap(({ files }) => files),
  }))
}
export async function dropTape(userId: number, tape: Tape): Promise<void> {
  const all = await keys<string>(shelf()).catch(() => [])
  await Promise.all(all.filter((key) => key.startsWith(partsOf(userId, tape))).map((key) => del(key, shelf())))
}

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
