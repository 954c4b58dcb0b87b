import { AsyncLocalStorage } from 'node:async_hooks'
import type { BinaryNode, WASocket } from '@whiskeysockets/baileys'
import type { LeasedConnection } from '#app/channels/channel.ts'
import { isTransient } from '#app/event-store/transient-errors.ts'
import type { Account } from './account.ts'
import { createInboundReader, type InboundSources } from './inbound-reader.ts'
import { journallingSignal } from './journalling-signal.ts'
import type { Lasting } from './memory.ts'
import type { Numbers } from './numbers.ts'
import { type CallListener, createStanzaJournal } from './stanza-journal.ts'
import { attachStanzaListeners } from './stanza-listeners.ts'

/**
 * Journals inbound events before WhatsApp gets a confirmation. Baileys decrypts, stores the keys, confirms, and only then emits a message. A
 * crash in between would lose it, because it can neither be fetched nor decrypted again. So the journal is written with the keys. `failed` is
 * called on an error: after a transient one the socket must end before the confirmation, and WhatsApp delivers again over the next socket. A
 * permanent error would repeat, so the event is dropped.
 */
export function createInbox(
  account: Account,
  { connection }: Pick<LeasedConnection, 'connection'>,
  { retries, ...sources }: InboundSources & { retries: Lasting<unknown> },
  failed: (error: unknown) => void,
) {
  const stanzas = new WeakMap<Uint8Array, BinaryNode>()
  const resendRequested = new AsyncLocalStorage<true>()
  let mapping: Numbers
  const numbers: Numbers = { getPNForLID: (lid) => mapping.getPNForLID(lid) }
  function reportPermanent(error: unknown): void {
    if (isTransient(error)) throw error
    failed(error)
  }
  const deps = { account, connection, sources, numbers, reportPermanent }
  const reader = createInboundReader(deps)
  const journal = createStanzaJournal(deps, reader)
  return {
    makeSignalRepository: journallingSignal({
      account,
      stanzas,
      resendRequested,
      failed,
      read: reader.read,
      addPlaceholder: journal.addPlaceholder,
      onNumbers: (created) => {
        mapping = created
      },
    }),
    /** Must be called right after the socket is created. */
    attach: (sock: WASocket, onCall: CallListener): void =>
      attachStanzaListeners(sock, { journal, stanzas, resendRequested, retries, reportPermanent, failed }, onCall),
  }
}
