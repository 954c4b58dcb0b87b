import { createStore, del, entries, get, keys, set } from 'idb-keyval'
import { dayMs } from '#domain/duration/rules.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'
import type { Sealed } from '#web/sealing.ts'
import { type Attachment, attachmentOf, type Box, type Mode, modeFor } from './drafts.ts'

/**
 * Files of a composer or of unsent messages survive the page, per user and place, up to a number of bytes and
 * days.
 */
type Kept = { at: number; files: File[] /** The attachment ids of a composer’s files. */; ids?: string[] }
type KeptPart = Kept & { tape: Omit<RecordingPart, 'data'> }
const mostOfPlace = 80 * 1024 * 1024
const mostOfAll = 320 * 1024 * 1024
const longest = 14 * dayMs

let made: ReturnType<typeof createStore> | undefined
const shelf = () => (made ??= createStore('guiche', 'files'))
/** A draft's place is its ticket and mode; an unsent message's place is its command id. */
type Place = Box | `out-${string}`
export const outgoing = (commandId: string): Place => `out-${commandId}`
const name = (userId: number, place: Place) => `${userId}-${place}`
const size = (files: readonly File[]) => files.reduce((sum, file) => sum + file.size, 0)
const sizeOf = ({ files, sealed = [] }: KeptSealed) => size(files) + sealed.reduce((sum, { data }) => sum + data.byteLength, 0)

/** Resolves to whether the files are stored. With a full or forbidden storage they last as long as this page. */
export async function keepFiles(userId: number, place: Place, files: File[], ids: string[] = []): Promise<boolean> {
  try {
    if (files.length === 0 || size(files) > mostOfPlace) {
      await del(name(userId, place), shelf())
      return files.length === 0
    }
    await set(name(userId, place), { at: Date.now(), files, ids } satisfies Kept, shelf())
    await sweep()
    return true
  } catch {
    return false
  }
}
/** Null: the storage cannot be read. */
const keptAt = (userId: number, place: Place): Promise<Kept | undefined | null> =>
  get<Kept>(name(userId, place), shelf()).then(
    (kept) => kept,
    () => null,
  )
export const keptFiles = async (userId: number, place: Place): Promise<File[]> => (await keptAt(userId, place))?.files ?? []

export const keepAttachments = (userId: number, box: Box, all: Attachment[]): Promise<boolean> =>
  keepFiles(
    userId,
    box,
    all.map(({ file }) => file),
    all.map(({ id }) => id),
  )
export async function keptAttachments(userId: number, box: Box): Promise<Attachment[] | null> {
  const kept = await keptAt(userId, box)
  if (kept === null) return null
  const { files = [], ids = [] } = kept ?? {}
  return files.map((file, at) => ({ ...attachmentOf(file), ...(ids[at] !== undefined && { id: ids[at] }) }))
}
/** The tickets with files of this user in a composer, with the mode. */
export const keptPlaces = async (userId: number): Promise<{ ticketId: number; mode: Mode }[]> =>
  keys<string>(shelf()).then(
    (all) =>
      all.flatMap((key) => {
        const [, note, ticketId] = new RegExp(`^${userId}-(note-)?(\\d+)$`).exec(key) ?? []
        return ticketId ? [{ ticketId: Number(ticketId), mode: modeFor(note !== undefined) }] : []
      }),
    () => [],
  )
/** A running recording and the tab that records it. */
export type Tape = { tab: string; ticketId: number; name: string; type: string }
/** One part of a recording, numbered from 0. */
export type RecordingPart = Tape & { at: number; data: Blob }
const tapes = (userId: number) => `${userId}-tape-`
const partsOf = (userId: number, { tab, name }: Tape) => `${tapes(userId)}${tab}-${name}-`

export async function putPart(userId: number, { data, ...tape }: RecordingPart): Promise<void> {
  const kept: KeptPart = { at: Date.now(), files: [new File([data], tape.name, { type: tape.type })], tape }
  // with a full storage the part lasts as long as this page
  await ignoreErrors(set(`${partsOf(userId, tape)}${tape.at}`, kept, shelf()), 'a full storage keeps nothing')
}
/** Every recording of this user with stored parts. */
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

/** Removes the user's attachments and the files of unsent messages. */
export async function forgetFiles(userId: number): Promise<void> {
  const all = await keys<string>(shelf())
  await Promise.all(all.filter((key) => key.startsWith(`${userId}-`)).map((key) => del(key, shelf())))
}

/** The plaintext of a sealed file: one line of JSON, then its bytes. */
async function packed(file: File): Promise<ArrayBuffer> {
  return new Blob([JSON.stringify({ name: file.name, type: file.type, at: file.lastModified }), '\n', file]).arrayBuffer()
}
function unpacked(bytes: ArrayBuffer): File {
  const end = new Uint8Array(bytes).indexOf(10)
  const { name, type, at } = JSON.parse(new TextDecoder().decode(bytes.slice(0, end))) as { name: string; type: string; at: number }
  return new File([bytes.slice(end + 1)], name, { type, lastModified: at })
}
type KeptSealed = Kept & { sealed?: Sealed[] }
/** Seals the files of every user except `but`, so that only their owners can open them. Resolves to those owners. */
export async function sealFiles(
  but: number,
  sealFor: (userId: number, bytes: BufferSource) => Promise<Sealed | null>,
): Promise<Set<number>> {
  const owners = new Set<number>()
  for (const [key, kept] of await entries<string, KeptSealed>(shelf())) {
    const owner = Number.parseInt(key, 10)
    if (owner === but || kept.files.length === 0) continue
    const sealed = await Promise.all(kept.files.map(async (file) => sealFor(owner, await packed(file))))
    if (sealed.includes(null)) await del(key, shelf())
    else {
      await set(key, { ...kept, files: [], sealed: sealed as Sealed[] } satisfies KeptSealed, shelf())
      owners.add(owner)
    }
  }
  return owners
}
export async function unsealFiles(userId: number, open: (sealed: Sealed) => Promise<ArrayBuffer>): Promise<void> {
  for (const [key, { sealed, ...kept }] of await entries<string, KeptSealed>(shelf())) {
    if (Number.parseInt(key, 10) !== userId || !sealed) continue
    const files = await Promise.all(sealed.map(async (one) => unpacked(await open(one)))).catch(() => null)
    if (files) await set(key, { ...kept, files } satisfies Kept, shelf())
    else await del(key, shelf())
  }
}

async function sweep(): Promise<void> {
  const all = await entries<string, KeptSealed>(shelf())
  let room = mostOfAll
  for (const [key, kept] of all.toSorted(([, a], [, b]) => b.at - a.at)) {
    room -= sizeOf(kept)
    if (room < 0 || Date.now() - kept.at > longest) await del(key, shelf())
  }
}
