import type { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BinaryNode, WASocket } from '@whiskeysockets/baileys'
import { ignoreErrors } from '#app/concurrency/ignore-errors.ts'
import type { Lasting } from './memory.ts'
import type { CallListener, StanzaJournal } from './stanza-journal.ts'

type Listener = (stanza: BinaryNode) => Promise<unknown>
type Deps = {
  journal: StanzaJournal
  /** Receives the stanza of each ciphertext. */
  stanzas: WeakMap<Uint8Array, BinaryNode>
  /** Set while a phone requests a message again that it could not read. */
  resendRequested: AsyncLocalStorage<true>
  /** How often a message was requested again. */
  retries: Lasting<unknown>
  /** Rethrows a transient error, and reports a permanent one. */
  reportPermanent: (error: unknown) => void
  failed: (error: unknown) => void
}

/** Shorter than WhatsApp's own limit for a confirmation. */
const answerMs = 20_000

/** Journals the stanzas of a socket before its own listeners confirm them. Must be called right after the socket is created. */
export function attachStanzaListeners(sock: WASocket, deps: Deps, onCall: CallListener): void {
  const { journal, stanzas, reportPermanent, failed } = deps
  const closed = closeSignal(sock)
  const unlessClosed = (error: unknown) => (sock.ws.isOpen ? failed(error) : undefined)
  /* The client lets new messages overtake those from our downtime, and messages of a person overtake those by another address. */
  handleInOrder(sock, ['CB:message', 'CB:call'], unlessClosed, async ({ attrs: { offline: _, ...attrs }, ...rest }, original) => {
    const stanza = { ...rest, attrs }
    if (Array.isArray(stanza.content))
      for (const { tag, content } of stanza.content) if (tag === 'enc' && content instanceof Uint8Array) stanzas.set(content, stanza)
    await journal.addWithoutContent(stanza).catch((error: unknown) => isRefusal(error) || reportPermanent(error)) // the client itself refuses a malformed message
    await journal.addCall(stanza, onCall).catch(reportPermanent)
    await original(stanza)
  })
  handleInOrder(sock, ['CB:receipt'], unlessClosed, async (stanza, original) => {
    await journal.addReceipt(stanza).catch(reportPermanent)
    const handled = stanza.attrs.type === 'retry' ? resend(sock, stanza, original, { ...deps, closed }) : original(stanza)
    void handled.catch(unlessClosed)
  })
}

function closeSignal(sock: WASocket): AbortSignal {
  const over = new AbortController()
  sock.ev.on('connection.update', ({ connection }) => {
    if (connection === 'close') over.abort()
  })
  return over.signal
}

/**
 * Replaces the listeners of the events by one that gets each stanza with these. Stanzas are handled one by one in wire order. WhatsApp delivers
 * the remaining ones again after the socket ends.
 */
function handleInOrder(
  { ws }: WASocket,
  names: string[],
  onError: (error: unknown) => void,
  run: (stanza: BinaryNode, original: Listener) => Promise<void>,
): void {
  let before: Promise<void> = Promise.resolve()
  for (const name of names) {
    const listeners = ws.listeners(name)
    ws.removeAllListeners(name)
    const original = (stanza: BinaryNode) => Promise.all(listeners.map((listener) => listener.call(ws, stanza)))
    ws.on(name, (stanza: BinaryNode) => {
      before = before.then(() => (ws.isOpen ? run(stanza, original) : undefined)).catch(onError)
    })
  }
}

/**
 * Handles a phone's request for a message that it could not read. The client confirms the request after writing the message, but WhatsApp
 * may not have received it. So the request is confirmed here, after WhatsApp's ack. If the socket ends first, the next one gets the request.
 */
async function resend(
  sock: WASocket,
  { attrs: { offline: _, ...attrs }, ...rest }: BinaryNode,
  original: Listener,
  { resendRequested, retries, closed }: Pick<Deps, 'resendRequested' | 'retries'> & { closed: AbortSignal },
): Promise<void> {
  const acknowledged = ignoreErrors(once(sock.ws, `CB:ack,id:${attrs.id}`, { signal: closed }), 'the socket has ended')
  const request = {
    ...rest,
    attrs,
    get tag(): string {
      throw new Error('Confirmation is sent later') // the client reads the tag only for its confirmation
    },
  }
  const tried = resendRequested.run(true, () => original(request))
  await Promise.race([acknowledged, tried.then(() => sleep(answerMs, undefined, { ref: false }))])
  if (closed.aborted)
    retries.delete(`${attrs.id}:${attrs.participant ?? attrs.from}`) // a message that did not arrive does not count as a retry
  else await sock.sendMessageAck({ ...rest, attrs })
}

const isRefusal = (error: unknown): boolean => error instanceof Error && 'isBoom' in error
