import type { AsyncLocalStorage } from 'node:async_hooks'
import type { BinaryNode, SignalKeyStoreWithTransaction, SocketConfig } from '@whiskeysockets/baileys'
import { isTransient } from '#app/event-store/transient-errors.ts'
import type { Account } from './account.ts'
import type { InboundReader } from './inbound-reader.ts'
import type { Numbers } from './numbers.ts'
import { makeSignal } from './signal.ts'
import type { StanzaJournal } from './stanza-journal.ts'

type SignalRepositoryFactory = SocketConfig['makeSignalRepository']
type Deps = {
  account: Account
  read: InboundReader['read']
  addPlaceholder: StanzaJournal['addPlaceholder']
  /** The stanza of a ciphertext that arrived over the socket. */
  stanzas: WeakMap<Uint8Array, BinaryNode>
  /** Set while a phone requests a message again that it could not read. */
  resendRequested: AsyncLocalStorage<true>
  /** Receives the account's numbers when the socket is created. */
  onNumbers: (numbers: Numbers) => void
  failed: (error: unknown) => void
}

/** An empty padded message. It makes the client confirm a message that was already journalled, instead of requesting it again. */
const nothing = Uint8Array.of(1)

/** Creates Signal repositories that journal each message in the transaction that changes the keys of its decryption. */
export const journallingSignal =
  ({ account, read, addPlaceholder, stanzas, resendRequested, onNumbers, failed }: Deps): SignalRepositoryFactory =>
  (auth, logger, pnToLid) => {
    const real = makeSignal(auth, logger, pnToLid)
    onNumbers(real.lidMapping)
    const { transaction } = auth.keys as SignalKeyStoreWithTransaction
    /* The client fetches keys whenever it looks up a person's devices, and would start a second session beside a valid one. */
    async function startSession(of: Parameters<typeof real.injectE2ESession>[0]): Promise<void> {
      const present = await real.getSessionInfo(of.jid)
      if (resendRequested.getStore() || present?.registrationId !== of.session.registrationId) await real.injectE2ESession(of)
    }
    /* Uses the transaction in which Baileys sends. Otherwise a message received during a send would undo its step in the shared session. */
    const inTransaction = <T>(work: () => Promise<T>): Promise<T> => transaction(work, account.creds().me!.id)
    function journalDecrypted(ciphertext: Uint8Array, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array> {
      const stanza = stanzas.get(ciphertext)
      if (!stanza) return decrypt()
      let isDecrypted = false
      return account
        .journalled((batch) =>
          inTransaction(async () => {
            const plain = await decrypt()
            await read(stanza, plain, batch)
            isDecrypted = true
            return plain
          }),
        )
        .catch(async (error: unknown) => {
          if (isDecrypted || isTransient(error)) failed(error)
          if (!isTransient(error) && (await addPlaceholder(stanza).catch(failed))) return nothing
          throw error // Baileys treats it as undecryptable, requests it five times, and gives up
        })
    }
    return {
      ...real,
      decryptMessage: (of) => journalDecrypted(of.ciphertext, () => real.decryptMessage(of)),
      decryptGroupMessage: (of) => journalDecrypted(of.msg, () => real.decryptGroupMessage(of)),
      injectE2ESession: (of) => inTransaction(() => startSession(of)),
      migrateSession: (from, to) => inTransaction(() => real.migrateSession(from, to)), // from a person's number to their id
    }
  }
