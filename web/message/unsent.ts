import type { AcceptedResponse } from '#domain/contract.ts'
import { ApiError } from '#web/api.ts'

/** A message on its way: it stands in the thread at once, under the id of its command, so that trying again never sends twice. */
export type Sending = {
  key: string
  ticketId: number
  /** Where its conversation is; null for what an older page kept. */
  uuid: string | null
  /** Who it is for, as the agent calls them. */
  to: string
  /** The tab in which it was sent. */
  tab: string
  body: string
  quoted: number | null
  isPrivate: boolean
  sign: boolean
  seen: number
  anyway: boolean
  files: File[]
  /** How many it has: after a reload they come from where they are kept. */
  attached: number
  at: string
  /** `queued`: not tried yet; `waiting`: tried, without a line; `stored`: it was taken, and its row is to come. */
  state: 'queued' | 'sending' | 'waiting' | 'stored' | 'failed'
  stored: Pick<AcceptedResponse, 'ids' | 'revision'> | null
  share: number
  error: unknown
}
/** Where what was sent and has not left outlives its page: one entry a message, so that no tab writes over another's. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
type Entry = Omit<Sending, 'files' | 'share' | 'error'> & { refused: Pick<ApiError, 'code' | 'detail' | 'status'> | null }

/** Under the name of its user: the next one to sign in must not send it. */
const entries = (userId: number) => `outbox-${userId}-`
const entry = (userId: number, key: string) => `${entries(userId)}${key}`
const names = (shelf: KeyValueStorage): string[] => Array.from({ length: shelf.length }, (_, at) => shelf.key(at)!)

export const isUnsent = (name: string | null, userId: number): boolean => name === null || name.startsWith(entries(userId))

/** Every message of this user that has not left, in whichever tab it was sent; the oldest first. */
export const unsent = (shelf: KeyValueStorage, userId: number): Sending[] =>
  names(shelf)
    .filter((name) => name.startsWith(entries(userId)))
    .flatMap((name) => read(shelf.getItem(name)) ?? [])
    .toSorted((a, b) => (a.at === b.at ? a.key.localeCompare(b.key) : a.at.localeCompare(b.at)))

/** Those of them that would be lost with this browser: what is stored is not. */
export const hasLeft = ({ state }: Sending): boolean => state === 'stored'

export const putUnsent = (shelf: KeyValueStorage, userId: number, { files: _, share: __, error, ...item }: Sending): void => {
  const refused = error instanceof ApiError ? { code: error.code, detail: error.detail, status: error.status } : null
  shelf.setItem(entry(userId, item.key), JSON.stringify({ ...item, refused } satisfies Entry))
}
export const dropUnsent = (shelf: KeyValueStorage, userId: number, key: string): void => shelf.removeItem(entry(userId, key))

/** Removes what a user sent and did not leave. */
export function forgetUnsent(shelf: KeyValueStorage, userId: number): void {
  for (const name of names(shelf)) if (name.startsWith(entries(userId))) shelf.removeItem(name)
}

function read(text: string | null): Sending | null {
  try {
    const { refused, ...item } = JSON.parse(text ?? 'null') as Entry
    return {
      ...item,
      uuid: item.uuid ?? null,
      stored: item.stored ?? null,
      files: [],
      share: 0,
      error: refused && new ApiError(refused.code, refused.detail, refused.status),
    }
  } catch {
    return null
  }
}
