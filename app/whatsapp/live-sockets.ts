import type { Outgoing, Recipient } from '../channels/channel.ts'
import type { StoredFile } from '../storage/media.ts'
import type { Lasting } from './memory.ts'

/** The operations of an open socket. */
export type Live = {
  send: (to: Recipient, id: string, content: Outgoing, signal: AbortSignal) => Promise<void>
  react: (to: Recipient, id: string, emoji: string) => Promise<void>
  remove: (to: Recipient, id: string) => Promise<void>
  edit: (to: Recipient, id: string, body: string) => Promise<void>
  read: (to: Recipient, ids: string[]) => Promise<void>
  typing: (to: Recipient) => Promise<void>
  picture: (at: { companyId: number }, to: Recipient) => Promise<StoredFile | null>
  isRegistered: (number: string) => Promise<boolean>
  /** Downloads the file of an inbound message. */
  fetch: (at: { id: number; companyId: number }, id: string) => Promise<StoredFile | null>
  /** Returns the whole text of a message that arrived with only a part of it. */
  textOf: (id: string) => Promise<string | null>
  rejectCall: (id: string, from: string) => Promise<void>
  /** The callers by call id. */
  callers: Lasting<string>
}

/** The open sockets of this process, by connection. */
export type LiveSockets = Map<number, Live>
