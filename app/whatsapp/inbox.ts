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
  heardIn,
  type Known,
  markIn,
  momentOf,
  resentIn,
  unread,
  unsupportedMessage,
  withBusiness,
} from './parse-inbound.ts'
import { oursOf, unsealedIn } from './sealed.ts'
import { makeSignal } from './signal.ts'
import { messageFrom } from './wrappers.ts'

/** Somebody of whom nothing is known that may be shown: an id of WhatsApp’s own is no number. */
const nobody = '•••'
/** An empty message, as it is before it is sealed: what was taken and not confirmed is confirmed, and not asked for again. */
const nothing = Uint8Array.of(1)
/** Less than WhatsApp waits for a confirmation. */
const answerMs = 20_000
/** Who it was, for who wants to turn it down. */
type Rings = (callId: string, from: string) => void
type Listener = (stanza: BinaryNode) => Promise<unknown>
/** What somebody in a chat is called. */
type Called = (ids: Identity[], chat: string) => Promise<string | null>
type Journalled = Parameters<Parameters<Account['journalled']>[0]>[0]

/**
 * Takes down what comes before WhatsApp is told that it came. Baileys decrypts, keeps the keys, confirms and only then tells of a message: a
 * crash in between would lose it, for it can neither be fetched nor decrypted again. So the journal is written with the keys. `failed`: it
 * could not be; where that may pass, the socket has to end before anything is confirmed, and what came over it comes again with the next one.
 * A fault of ours would come again as well, and is left.
 */
export function inbox(
  account: Account,
  { connection: { id: connectionId, companyId, provider } }: Pick<LeasedConnection, 'connection'>,
  known: Known & { logger: Logger; retries: Lasting<unknown>; calledOf: Called; nameOf: Called },
  failed: (error: unknown) => void,
) {
  const stanzas = new WeakMap<Uint8Array, BinaryNode>()
  /** Whether a phone asks for a message again that it could not read. */
  const askedAgain = new AsyncLocalStorage<true>()
  const entryOf = (about: About, heard: InboundEvent) => ({
    ...{ companyId, connectionId, externalId: about.id, conversation: conversationOf(about), payload: heard },
  })

  function left(error: unknown): void {
    if (isTransient(error)) throw error
    failed(error)
  }
  const me = () => account.creds().me!
  const messageIn = (stanza: BinaryNode): WAMessage => withBusiness(decodeMessageNode(stanza, me().id, me().lid ?? '').fullMessage, stanza)
  let numbers: Numbers
  /** Null: what our own phone tells its devices, and what concerns nobody. */
  const aboutIn = async (stanza: BinaryNode) =>
    stanza.attrs.category === 'peer' ? null : namedIn(await withNumber(messageIn(stanza), numbers))
  /** Who says no name of their own is called by it where anybody else knows one. */
  async function namedIn(message: WAMessage): Promise<About | null> {
    const about = aboutOf(message, known)
    if (!about || about.fromMe || about.name !== '') return about
    return { ...about, name: (await known.calledOf(about.from, message.key.remoteJid!)) ?? '' }
  }

  async function read(stanza: BinaryNode, plain: Uint8Array, batch: Journalled): Promise<void> {
    const decoded = messageFrom(unpadRandomMax16(plain))
    const { key } = messageIn(stanza)
    if (stanza.attrs.category === 'peer' && key.fromMe) {
      noteHistory(decoded, batch)
      for (const one of resentIn(decoded)) {
        const about = one.message && (await namedIn(await withNumber(one, numbers)))
        if (about) await note(one.message!, about, one.key, batch)
      }
    }
    const about = await aboutIn(stanza)
    const { deviceSentMessage: ours, messageContextInfo } = decoded
    if (about)
      await note(
        ours?.message ? { ...ours.message, messageContextInfo: { ...messageContextInfo, ...ours.message.messageContextInfo } } : decoded,
        about,
        key,
        batch,
      )
  }

  async function note(content: proto.IMessage, about: About, { remoteJid, participant }: WAMessageKey, batch: Journalled): Promise<void> {
    const heard = await heardOf(content, about, remoteJid!).catch((error: unknown) => {
      left(error)
      return unsupportedMessage(about)
    })
    if (!heard) return
    batch.entries.push(entryOf(about, heard))
    if (heard.type !== 'message') return
    batch.kept.push({
      ...{ id: about.id, fromMe: about.fromMe, chat: remoteJid!, participant: participant ? jidNormalizedUser(participant) : null },
      message: proto.Message.encode(content).finish(),
    })
  }

  async function heardOf(content: proto.IMessage, about: About, chat: string): Promise<InboundEvent | null> {
    const countUnopened = (kind: string) => countUnknownKind(provider, ofKind(kind), known.logger)
    const ours = oursOf(me())
    const unsealed = await unsealedIn(content, about, { ours, kept: account.kept, addressesOf, countUnopened })
    if (unsealed === null || (unsealed && 'type' in unsealed)) return unsealed
    const heard = heardIn(unsealed ?? content, about, ours)
    if (heard && 'body' in heard && heard.body.includes('@')) heard.body = await named(heard.body, unsealed ?? content, chat)
    return heard
  }

  const addressesOf = async (jid: string) => [jid, ...(await idsWithNumber([jid], numbers)).map(addressOf)]
  async function named(body: string, content: proto.IMessage, chat: string): Promise<string> {
    let words = body
    for (const jid of mentionedIn(content).filter((one) => jidDecode(one))) {
      const ids = await idsWithNumber([jid], numbers)
      const called = `@${(await known.nameOf(ids, chat)) ?? nobody}`
      words = words.replaceAll(`@${jidDecode(jid)!.user}`, () => called)
    }
    return words
  }

  function noteHistory({ protocolMessage }: proto.IMessage, batch: Journalled): void {
    const part = protocolMessage?.historySyncNotification
    if (part && ofMessages.has(part.syncType!)) batch.history.push(proto.Message.HistorySyncNotification.encode(part).finish())
  }

  /** What could not be opened has its place in the order of what is said; answers whether it was opened before, and comes once more. */
  async function placed(stanza: BinaryNode): Promise<boolean> {
    const about = await aboutIn(stanza)
    if (about && (await account.hasTaken(about.id))) return true
    if (about && !about.fromMe) await account.journalled(async ({ entries }) => void entries.push(entryOf(about, unread(about))))
    return false
  }

  /** What comes without its words: the client asks the phone for them, which has them alone where they are for nobody else. */
  async function wordless(stanza: BinaryNode): Promise<void> {
    if (stanza.tag !== 'message' || getBinaryNodeChild(stanza, 'enc')) return
    const { type = '' } = getBinaryNodeChild(stanza, 'unavailable')?.attrs ?? {}
    if (type === '') return void (await placed(stanza))
    const about = type === 'bot_unavailable_fanout' ? null : await aboutIn(stanza)
    if (about) await account.journalled(async ({ entries }) => void entries.push(entryOf(about, unsupportedMessage(about))))
  }

  const makeSignalRepository: SocketConfig['makeSignalRepository'] = (auth, logger, pnToLid) => {
    const real = makeSignal(auth, logger, pnToLid)
    numbers = real.lidMapping
    const { transaction } = auth.keys as SignalKeyStoreWithTransaction
    /* The client fetches keys anew whenever it looks up somebody's devices, and would begin a session beside one that stands. */
    async function begin(of: Parameters<typeof real.injectE2ESession>[0]): Promise<void> {
      const stands = await real.getSessionInfo(of.jid)
      if (askedAgain.getStore() || stands?.registrationId !== of.session.registrationId) await real.injectE2ESession(of)
    }
    /* In the same transaction as Baileys sends in: apart, one that comes while another leaves would undo its step in their common session. */
    const together = <T>(work: () => Promise<T>): Promise<T> => transaction(work, account.creds().me!.id)
    function noted(ciphertext: Uint8Array, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array> {
      const stanza = stanzas.get(ciphertext)
      if (!stanza) return decrypt()
      let understood = false
      return account
        .journalled((batch) =>
          together(async () => {
            const plain = await decrypt()
            await read(stanza, plain, batch)
            understood = true
            return plain
          }),
        )
        .catch(async (error: unknown) => {
          if (understood || isTransient(error)) failed(error)
          if (!isTransient(error) && (await placed(stanza).catch(failed))) return nothing
          throw error // it is taken for one that cannot be read, asked for five times, and given up
        })
    }
    return {
      ...real,
      decryptMessage: (of) => noted(of.ciphertext, () => real.decryptMessage(of)),
      decryptGroupMessage: (of) => noted(of.msg, () => real.decryptGroupMessage(of)),
      injectE2ESession: (of) => together(() => begin(of)),
      migrateSession: (from, to) => together(() => real.migrateSession(from, to)), // of a person's number to their id
    }
  }

  /** A mark of the other phone, before it is confirmed; as they come on the wire, where nothing is folded into anything else. */
  async function marked(receipt: BinaryNode): Promise<void> {
    const receiptMark = markIn(receipt)
    if (!receiptMark) return
    const { externalId, ...mark } = receiptMark
    const to = await idsWithNumber([receipt.attrs.from], numbers)
    const entry = { companyId, connectionId, externalId, conversation: to[0]?.id ?? '' }
    const heard = { type: 'mark' as const, ...mark, to, at: momentOf(receipt.attrs.t, known) }
    await account.journalled(async ({ entries }) => void entries.push({ ...entry, payload: heard }))
  }

  /** Somebody rings, before that is confirmed. A group’s call is everybody’s. */
  async function called(stanza: BinaryNode, rings: Rings): Promise<void> {
    const [offer] = getAllBinaryNodeChildren(stanza)
    if (stanza.tag !== 'call' || !offer?.tag.startsWith('offer')) return
    const { 'call-id': id, 'call-creator': creator, from = creator, caller_pn, type, 'group-jid': group } = offer.attrs
    if (!id || !from || type === 'group' || group) return
    const who = await idsWithNumber([from, caller_pn], numbers)
    const video = getBinaryNodeChild(offer, 'video') !== undefined
    const heard = { type: 'call' as const, externalId: id, from: who, name: '', video, at: momentOf(stanza.attrs.t, known) }
    rings(id, from)
    const entry = { companyId, connectionId, externalId: id, conversation: who[0]?.id ?? id, payload: heard }
    await account.journalled(async ({ entries }) => void entries.push(entry))
  }

  /** Right after the socket is made. */
  function attach(sock: WASocket, rings: Rings): void {
    const { ws } = sock
    const over = new AbortController()
    sock.ev.on('connection.update', ({ connection }) => {
      if (connection === 'close') over.abort()
    })
    const unlessOver = (error: unknown) => (ws.isOpen ? failed(error) : undefined)
    /* The client lets what is said now overtake what waited while we were away, and what a person says by one address that by the other. */
    inTurn(['CB:message', 'CB:call'], async ({ attrs: { offline: _, ...attrs }, ...rest }, read) => {
      const stanza = { ...rest, attrs }
      if (Array.isArray(stanza.content))
        for (const { tag, content } of stanza.content) if (tag === 'enc' && content instanceof Uint8Array) stanzas.set(content, stanza)
      await wordless(stanza).catch((error: unknown) => isRefusal(error) || left(error)) // what is no message the client refuses itself
      await called(stanza, rings).catch(left)
      await read(stanza)
    })
    inTurn(['CB:receipt'], async (stanza, theirs) => {
      await marked(stanza).catch(left)
      void (stanza.attrs.type === 'retry' ? again(stanza, theirs) : theirs(stanza)).catch(unlessOver)
    })

    /**
     * A phone that could not read a message asks for it again. The client confirms that once the message is written; WhatsApp may not have it
     * then, and forgets what was asked. So it is confirmed here, when WhatsApp has the message: where the socket ends before, the next is asked.
     */
    async function again({ attrs: { offline: _, ...attrs }, ...rest }: BinaryNode, theirs: Listener): Promise<void> {
      const had = once(ws, `CB:ack,id:${attrs.id}`, { signal: over.signal }).catch(() => undefined)
      const asks = {
        ...{ ...rest, attrs },
        get tag(): string {
          throw new Error('it is confirmed later') // the client reads it for its confirmation alone
        },
      }
      const tried = askedAgain.run(true, () => theirs(asks))
      await Promise.race([had, tried.then(() => sleep(answerMs, undefined, { ref: false }))])
      if (over.signal.aborted)
        known.retries.delete(`${attrs.id}:${attrs.participant ?? attrs.from}`) // what did not arrive was no try
      else await sock.sendMessageAck({ ...rest, attrs })
    }

    /** One after the other in the order of the wire; what has not had its turn when the socket ends comes again over the next. */
    function inTurn(names: string[], run: (stanza: BinaryNode, theirs: Listener) => Promise<void>): void {
      let before: Promise<void> = Promise.resolve()
      for (const name of names) {
        const listeners = ws.listeners(name)
        ws.removeAllListeners(name)
        const theirs = (stanza: BinaryNode) => Promise.all(listeners.map((listener) => listener.call(ws, stanza)))
        ws.on(name, (stanza: BinaryNode) => {
          before = before.then(() => (ws.isOpen ? run(stanza, theirs) : undefined)).catch(unlessOver)
        })
      }
    }
  }

  return { makeSignalRepository, attach }
}

const isRefusal = (error: unknown): boolean => error instanceof Error && 'isBoom' in error
const { HistorySyncType } = proto.HistorySync
/** Parts of a history that hold messages. */
const ofMessages = new Set<number>([HistorySyncType.INITIAL_BOOTSTRAP, HistorySyncType.RECENT, HistorySyncType.FULL])
