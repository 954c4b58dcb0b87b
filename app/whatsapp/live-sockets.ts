import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import type { Outgoing, Recipient } from '../channels/channel.ts'
import type { StoredFile } from '../storage/media.ts'
import type { Lasting } from './memory.ts'

/** What can be done through a socket that stands. */
export type Live = {
  send: (to: Recipient, id: string, content: Outgoing, signal: AbortSignal) => Promise<void>
  react: (to: Recipient, id: string, emoji: string) => Promise<void>
  remove: (to: Recipient, id: string) => Promise<void>
  edit: (to: Recipient, id: string, body: string) => Promise<void>
  read: (to: Recipient, ids: string[]) => Promise<void>
  typing: (to: Recipient) => Promise<void>
  picture: (at: { companyId: number }, to: Recipient) => Promise<StoredFile | null>
  isRegistered: (number: string) => Promise<boolean>
  /** The file of a message that came. */
  fetch: (at: { id: number; companyId: number }, id: string) => Promise<StoredFile | null>
  /** The whole text of a message that came with a part of it. */
  textOf: (id: string) => Promise<string | null>
  rejectCall: (id: string, from: string) => Promise<void>
  /** Who rings. */
  callers: Lasting<string>
}

const houses = new WeakMap<Kysely<Database>, Map<number, Live>>()
/** The sockets of a process, by the connections they belong to. */
export function sockets(db: Kysely<Database>): Map<number, Live> {
  const known = houses.get(db) ?? new Map<number, Live>()
  houses.set(db, known)
  return known
}
