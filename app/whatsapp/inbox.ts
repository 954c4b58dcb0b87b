import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type BinaryNode,
  decodeMessageNode,
  getAllBinaryNodeChildren,
  getBinaryNodeChild,
  jidDecode,
  jidNormalizedUser,
  proto,
  type SignalKeyStoreWithTransaction,
  type SocketConfig,
  unpadRandomMax16,
  type WAMessage,
  type WAMessageKey,
  type WASocket,
} from '@whiskeysockets/baileys'
import type { Logger } from 'pino'
import type { Identity, InboundEvent, LeasedConnection } from '../channels/channel.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { countUnknownKind, ofKind } from '../inbound/unknown-kinds.ts'
import type { Account } from './account.ts'
import { mentionedIn } from './bodies.ts'
import type { Lasting } from './memory.ts'
import { idsWithNumber, type Numbers, withNumber } from './numbers.ts'
import {
  type About,
  aboutOf,
  addressOf,
  conversationOf,
  markIn,
  momentOf,
  type ParsingContext,
  parseMessage,
  resentIn,
  unread,
  unsupportedMessage,
  withBusiness,
} from './parse-inbound.ts'
import { oursOf, unsealedIn } from './sealed.ts'
import { makeSignal } from './signal.ts'
import { messageFrom } from './wrappers.ts'

/** Shown for a person without a name or number, because WhatsApp's own id is not a number. */
const unknownPerson = '•••'
/** An empty padded message. It makes the client confirm a message that was already journalled, instead of requesting it again. */
const nothing = Uint8Array.of(1)
/** Shorter than WhatsApp's own limit for a confirmation. */
const answerMs = 20_000
/** Receives the caller, so that the call can be rejected. */
type Rings = (callId: string, from: string) => void
type Listener = (stanza: BinaryNode) => Promise<unknown>
/** Returns the name of a person in a chat. */
type Called = (ids: Identity[], chat: string) => Promise<string | null>
type Journalled = Parameters<Parameters<Account['journalled']>[0]>[0]

/**
 * Journals inbound events before WhatsApp gets a confirmation. Baileys decrypts, stores the keys, confirms, and only then emits a message. A
 * crash in between would lose it, because it can neither be fetched nor decrypted again. So the journal is written with the keys. `failed` is
 * called on an error: after a transient one the socket must end before the confirmation, and WhatsApp delivers again over the next socket. A
 * permanent error would repeat, so the event is dropped.
 */
export function inbox(
  account: Account,
  { connection: { id: connectionId, companyId, provider } }: Pick<LeasedConnection, 'connection'>,
  known: ParsingContext & { logger: Logger; retries: Lasting<unknown>; calledOf: Called; nameOf: Called },
  failed: (error: unknown) => void,
) {
  const stanzas = new WeakMap<Uint8Array, BinaryNode>()
  /** Set while a phone requests a message again that it could not read. */
  const resendRequested = new AsyncLocalStorage<true>()
  const entryOf = (about: About, inbound: InboundEvent) => ({
    ...{ companyId, connectionId, externalId: about.id, conversation: conversationOf(about), payload: inbound },
  })

  function reportPermanent(error: unknown): void {
    if (isTransient(error)) throw error
    failed(error)
  }
  const me = () => account.creds().me!
  const messageIn = (stanza: BinaryNode): WAMessage => withBusiness(decodeMessageNode(stanza, me().id, me().lid ?? '').fullMessage, stanza)
  let numbers: Numbers
  /** Null: a message of our own phone to its devices, or of a chat without service. */
  const aboutIn = async (stanza: BinaryNode) =>
    stanza.attrs.category === 'peer' ? null : withCallerName(await withNumber(messageIn(stanza), numbers))
  /** Adds a name from another source if the sender publishes none. */
  async function withCallerName(message: WAMessage): Promise<About | null> {
    const about = aboutOf(message, known)
    if (!about || about.fromMe || about.name !== '') return about
    return { ...about, name: (await known.calledOf(about.from, message.key.remoteJid!)) ?? '' }
  }

  async function read(stanza: BinaryNode, plain: Uint8Array, batch: Journalled): Promise<void> {
    const decoded = messageFrom(unpadRandomMax16(plain))
    const { key } = messageIn(stanza)
    if (stanza.attrs.category === 'peer' && key.fromMe) {
      addHistory(decoded, batch)
      for (const one of resentIn(decoded)) {
        const about = one.message && (await withCallerName(await withNumber(one, numbers)))
        if (about) await addEvent(one.message!, about, one.key, batch)
      }
    }
    const about = await aboutIn(stanza)
    const { deviceSentMessage: ours, messageContextInfo } = decoded
    if (about)
      await addEvent(
        ours?.message ? { ...ours.message, messageContextInfo: { ...messageContextInfo, ...ours.message.messageContextInfo } } : decoded,
        about,
        key,
        batch,
      )
  }

  async function addEvent(
    content: proto.IMessage,
    about: About,
    { remoteJid, participant }: WAMessageKey,
    batch: Journalled,
  ): Promise<void> {
    const inbound = await eventOf(content, about, remoteJid!).catch((error: unknown) => {
      reportPermanent(error)
      return unsupportedMessage(about)
    })
    if (!inbound) return
    batch.entries.push(entryOf(about, inbound))
    if (inbound.type !== 'message') return
    batch.kept.push({
      ...{ id: about.id, fromMe: about.fromMe, chat: remoteJid!, participant: participant ? jidNormalizedUser(participant) : null },
      message: proto.Message.encode(content).finish(),
    })
  }

  async function eventOf(content: proto.IMessage, about: About, chat: string): Promise<InboundEvent | null> {
    const countUnopened = (kind: string) => countUnknownKind(provider, ofKind(kind), known.logger)
    const ours = oursOf(me())
    const unsealed = await unsealedIn(content, about, { ours, kept: account.kept, addressesOf, countUnopened })
    if (unsealed === null || (unsealed && 'type' in unsealed)) return unsealed
    const inbound = parseMessage(unsealed ?? content, about, ours)
    if (inbound && 'body' in inbound && inbound.body.includes('@'))
      inbound.body = await replaceMentions(inbound.body, unsealed ?? content, chat)
    return inbound
  }

  const addressesOf = async (jid: string) => [jid, ...(await idsWithNumber([jid], numbers)).map(addressOf)]
  async function replaceMentions(body: string, content: proto.IMessage, chat: string): Promise<string> {
    let words = body
    for (const jid of mentionedIn(content).filter((one) => jidDecode(one))) {
      const ids = await idsWithNumber([jid], numbers)
      const handleCall = `@${(await known.nameOf(ids, chat)) ?? unknownPerson}`
      words = words.replaceAll(`@${jidDecode(jid)!.user}`, () => handleCall)
    }
    return words
  }

  function addHistory({ protocolMessage }: proto.IMessage, batch: Journalled): void {
    const part = protocolMessage?.historySyncNotification
    if (part && ofMessages.has(part.syncType!)) batch.history.push(proto.Message.HistorySyncNotification.encode(part).finish())
  }

  /** Journals a placeholder for a message that cannot be decrypted, to keep its place. Returns whether the message was journalled before. */
  async function addPlaceholder(stanza: BinaryNode): Promise<boolean> {
    const about = await aboutIn(stanza)
    if (about && (await account.hasTaken(about.id))) return true
    if (about && !about.fromMe) await account.journalled(async ({ entries }) => void entries.push(entryOf(about, unread(about))))
    return false
  }

  /** Journals a message that arrives without content. The client requests the content from the phone, if the phone may share it. */
  async function handleWithoutContent(stanza: BinaryNode): Promise<void> {
    if (stanza.tag !== 'message' || getBinaryNodeChild(stanza, 'enc')) return
    const { type = '' } = getBinaryNodeChild(stanza, 'unavailable')?.attrs ?? {}
    if (type === '') return void (await addPlaceholder(stanza))
    const about = type === 'bot_unavailable_fanout' ? null : await aboutIn(stanza)
    if (about) await account.journalled(async ({ entries }) => void entries.push(entryOf(about, unsupportedMessage(about))))
  }

  const makeSignalRepository: SocketConfig['makeSignalRepository'] = (auth, logger, pnToLid) => {
    const real = makeSignal(auth, logger, pnToLid)
    numbers = real.lidMapping
    const { transaction } = auth.keys as SignalKeyStoreWithTransaction
    /* The client fetches keys whenever it looks up a person's devices, and would start a second session beside a valid one. */
    async function startSession(of: Parameters<typeof real.injectE2ESession>[0]): Promise<void> {
      const stands = await real.getSessionInfo(of.jid)
      if (resendRequested.getStore() || stands?.registrationId !== of.session.registrationId) await real.injectE2ESession(of)
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

  /** Journals a delivery receipt before it is confirmed, from the raw stanza, because Baileys merges receipts. */
  async function handleReceipt(receipt: BinaryNode): Promise<void> {
    const receiptMark = markIn(receipt)
    if (!receiptMark) return
    const { externalId, ...mark } = receiptMark
    const to = await idsWithNumber([receipt.attrs.from], numbers)
    const entry = { companyId, connectionId, externalId, conversation: to[0]?.id ?? '' }
    const inbound = { type: 'receipt' as const, ...mark, to, at: momentOf(receipt.attrs.t, known) }
    await account.journalled(async ({ entries }) => void entries.push({ ...entry, payload: inbound }))
  }

  /** Journals a call before it is confirmed. Group calls are ignored. */
  async function handleCall(stanza: BinaryNode, rings: Rings): Promise<void> {
    const [offer] = getAllBinaryNodeChildren(stanza)
    if (stanza.tag !== 'call' || !offer?.tag.startsWith('offer')) return
    const { 'call-id': id, 'call-creator': creator, from = creator, caller_pn, type, 'group-jid': group } = offer.attrs
    if (!id || !from || type === 'group' || group) return
    const who = await idsWithNumber([from, caller_pn], numbers)
    const video = getBinaryNodeChild(offer, 'video') !== undefined
    const inbound = { type: 'call' as const, externalId: id, from: who, name: '', video, at: momentOf(stanza.attrs.t, known) }
    rings(id, from)
    const entry = { companyId, connectionId, externalId: id, conversation: who[0]?.id ?? id, payload: inbound }
    await account.journalled(async ({ entries }) => void entries.push(entry))
  }

  /** Must be called right after the socket is created. */
  function attach(sock: WASocket, rings: Rings): void {
    const { ws } = sock
    const over = new AbortController()
    sock.ev.on('connection.update', ({ connection }) => {
      if (connection === 'close') over.abort()
    })
    const unlessOver = (error: unknown) => (ws.isOpen ? failed(error) : undefined)
    /* The client lets new messages overtake those from our downtime, and messages of a person overtake those by another address. */
    inTurn(['CB:message', 'CB:call'], async ({ attrs: { offline: _, ...attrs }, ...rest }, read) => {
      const stanza = { ...rest, attrs }
      if (Array.isArray(stanza.content))
        for (const { tag, content } of stanza.content) if (tag === 'enc' && content instanceof Uint8Array) stanzas.set(content, stanza)
      await handleWithoutContent(stanza).catch((error: unknown) => isRefusal(error) || reportPermanent(error)) // the client itself refuses a malformed message
      await handleCall(stanza, rings).catch(reportPermanent)
      await read(stanza)
    })
    inTurn(['CB:receipt'], async (stanza, original) => {
      await handleReceipt(stanza).catch(reportPermanent)
      void (stanza.attrs.type === 'retry' ? resend(stanza, original) : original(stanza)).catch(unlessOver)
    })

    /**
     * Handles a phone's request for a message that it could not read. The client confirms the request after writing the message, but WhatsApp
     * may not have received it. So the request is confirmed here, after WhatsApp's ack. If the socket ends first, the next one gets the request.
     */
    async function resend({ attrs: { offline: _, ...attrs }, ...rest }: BinaryNode, original: Listener): Promise<void> {
      const had = ignoreErrors(once(ws, `CB:ack,id:${attrs.id}`, { signal: over.signal }), 'the socket has ended')
      const asks = {
        ...{ ...rest, attrs },
        get tag(): string {
          throw new Error('Confirmation is sent later') // the client reads the tag only for its confirmation
        },
      }
      const tried = resendRequested.run(true, () => original(asks))
      await Promise.race([had, tried.then(() => sleep(answerMs, undefined, { ref: false }))])
      if (over.signal.aborted)
        known.retries.delete(`${attrs.id}:${attrs.participant ?? attrs.from}`) // a message that did not arrive does not count as a retry
      else await sock.sendMessageAck({ ...rest, attrs })
    }

    /** Handles stanzas one by one in wire order. WhatsApp delivers the remaining ones again after the socket ends. */
    function inTurn(names: string[], run: (stanza: BinaryNode, original: Listener) => Promise<void>): void {
      let before: Promise<void> = Promise.resolve()
      for (const name of names) {
        const listeners = ws.listeners(name)
        ws.removeAllListeners(name)
        const original = (stanza: BinaryNode) => Promise.all(listeners.map((listener) => listener.call(ws, stanza)))
        ws.on(name, (stanza: BinaryNode) => {
          before = before.then(() => (ws.isOpen ? run(stanza, original) : undefined)).catch(unlessOver)
        })
      }
    }
  }

  return { makeSignalRepository, attach }
}

const isRefusal = (error: unknown): boolean => error instanceof Error && 'isBoom' in error
const { HistorySyncType } = proto.HistorySync
/** Parts of a history that contain messages. */
const ofMessages = new Set<number>([HistorySyncType.INITIAL_BOOTSTRAP, HistorySyncType.RECENT, HistorySyncType.FULL])
