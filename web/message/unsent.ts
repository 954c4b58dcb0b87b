import type { AcceptedResponse } from '#domain/contract.ts'
import { ApiError } from '#web/api.ts'

/** An unsent message. The thread shows it at once under its command id, so a retry never sends twice. */
export type Sending = {
  key: string
  ticketId: number
  /** The ticket's address. */
  uuid: string
  /** The recipient's name as the agent sees it. */
  to: string
  /** The tab that sent it. */
  tab: string
  body: string
  /** Whether the text is the own caption of its file. */
  isCaption: boolean
  /** The messages of one draft with several files. A part waits while an earlier one has failed. */
  group: string | null
  quoted: number | null
  isPrivate: boolean
  sign: boolean
  seen: number
  anyway: boolean
  files: File[]
  /** Number of files. After a reload they are read from the file storage. */
  attached: number
  at: string
  /** `queued`: not tried yet; `waiting`: tried without a connection; `stored`: accepted, its row is still missing. */
  state: 'queued' | 'sending' | 'waiting' | 'stored' | 'failed'
  stored: Pick<AcceptedResponse, 'ids' | 'revision'> | null
  share: number
  error: unknown
}
/** The storage of unsent messages: one entry per message, so that tabs do not overwrite each other. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
type Entry = Omit<Sending, 'files' | 'share' | 'error'> & { refused: Pick<ApiError, 'code' | 'detail' | 'status'> | null }

/** The key contains the user, because the next user must not send it. */
const entries = (userId: number) => `outbox-${userId}-`
const entry = (userId: number, key: string) => `${entries(userId)}${key}`
const names = (shelf: KeyValueStorage): string[] => Array.from({ length: shelf.length }, (_, at) => shelf.key(at)!)

export const isUnsent = (name: string | null, userId: number): boolean => name === null || name.startsWith(entries(userId))

/** Every unsent message of this user from all tabs, oldest first. */
export const unsent = (shelf: KeyValueStorage, userId: number): Sending[] =>
  names(shelf)
    .filter((name) => name.startsWith(entries(userId)))
    .flatMap((name) => read(shelf.getItem(name)) ?? [])
    .toSorted((a, b) => (a.at === b.at ? a.key.localeCompare(b.key) : a.at.localeCompare(b.at)))

/** Whether the server has the message. Others would be lost with this browser. */
export const hasLeft = ({ state }: Sending): boolean => state === 'stored'

export const putUnsent = (shelf: KeyValueStorage, userId: number, { files: _, share: __, error, ...item }: Sending): void => {
  const refused = error instanceof ApiError ? { code: error.code, detail: error.detail, status: error.status } : null
  shelf.setItem(entry(userId, item.key), JSON.stringify({ ...item, refused } satisfies Entry))
}
export const dropUnsent = (shelf: KeyValueStorage, userId: number, key: string): void => shelf.removeItem(entry(userId, key))

/** Removes a user's unsent messages. */
export function forgetUnsent(shelf: KeyValueStorage, userId: number): void {
  for (const name of names(shelf)) if (name.startsWith(entries(userId))) shelf.removeItem(name)
}

function read(text: string | null): Sending | null {
  try {
    const { refused, ...item } = JSON.parse(text ?? 'null') as Entry
    return {
      ...item,
      files: [],
      share: 0,
      error: refused && new ApiError(refused.code, refused.detail, refused.status),
    }
  } catch {
    return null
  }
}
