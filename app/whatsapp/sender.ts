import {
  type AnyMessageContent,
  type BinaryNode,
  generateMessageIDV2,
  generateWAMessageContent,
  generateWAMessageFromContent,
  isPnUser,
  jidEncode,
  jidNormalizedUser,
  prepareWAMessageMedia,
  proto,
  type WAMessageKey,
  type WASocket,
} from '@whiskeysockets/baileys'
import { placeIn } from '#domain/message/rules.ts'
import { cards, vCardsIn } from '#domain/vcard/rules.ts'
import { type Identity, inWords, type Outgoing, PermanentChannelError, type Recipient, TransientChannelError } from '../channels/channel.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import type { AppContext } from '../context.ts'
import { resolveContact } from '../inbound/contact-resolver.ts'
import { externalIdFrom } from '../message/external-id.ts'
import type { Account } from './account.ts'
import { fetched, pictureOf, withFile } from './files.ts'
import type { Live } from './live-sockets.ts'
import type { Memory } from './memory.ts'
import { type Flow, nativeFlow } from './native-flow.ts'
import { orderTextOf } from './orders.ts'
import { idsOf } from './parse-inbound.ts'
import { typistOn } from './typist.ts'
import { broughtOnce, uploadBy } from './uploads.ts'

/** Permanent errors of WhatsApp. 463: the account may not start new chats, and each retry makes the restriction longer. */
const refusals = new Map([...['400', '403', '405', '463', '479'].map((code) => [code, code] as const), ['404', 'ERR_WAPP_INVALID_CONTACT']])
/** WhatsApp refuses the kind of message and would accept another kind. */
const ofItsKind = new Set(['400', '405', '479'])
function errorOf(error: string): Error {
  const code = refusals.get(error)
  if (code) return new PermanentChannelError(code)
  return error === '429' ? new TransientChannelError('TOO_FAST') : new Error(`WhatsApp answered with error ${error}`)
}
const answerMs = 20_000
type Quoted = { key: WAMessageKey; message: proto.IMessage }

/** The outbound operations of one socket. */
export function sender(sock: WASocket, account: Account, { callers }: Pick<Memory, 'callers'>, ctx: AppContext): Live {
  /** Sends that wait for WhatsApp's ack. Written bytes alone do not prove that WhatsApp has the message. */
  const pendingAcks = new Map<string, PromiseWithResolvers<void>>()
  sock.ws.on('CB:ack,class:message', ({ attrs: { id, error } }: BinaryNode) => {
    const waiting = pendingAcks.get(id ?? '')
    if (!waiting) return
    if (error === undefined) waiting.resolve()
    else waiting.reject(errorOf(error))
  })

  sock.ev.on('connection.update', ({ connection }) => {
    if (connection === 'close')
      for (const waiting of pendingAcks.values()) waiting.reject(new Error('Socket closed before WhatsApp answered'))
  })

  /** Sends a message or a change and resolves after WhatsApp's ack. Without an answer the outcome is unknown. */
  async function sendAndConfirm(
    jid: string,
    content: AnyMessageContent | Flow,
    id = generateMessageIDV2(sock.user?.id),
    quoted?: Quoted,
  ): Promise<void> {
    const waiting = Promise.withResolvers<void>()
    void ignoreErrors(waiting.promise, 'thrown where the ack is awaited')
    pendingAcks.set(id, waiting)
    const late = setTimeout(() => waiting.reject(new Error('WhatsApp did not answer')), answerMs)
    try {
      const options = { messageId: id, ...(quoted && { quoted }) }
      const sent = 'nodes' in content ? await relay(jid, content, options) : await sock.sendMessage(jid, content, options)
      if (!sent?.message) return
      await account.keep({ id, fromMe: true, chat: jid, participant: null, message: proto.Message.encode(sent.message).finish() })
      await waiting.promise
    } catch (error) {
      throw closed(error) ? new TransientChannelError('ERR_WAPP_NOT_INITIALIZED') : error
    } finally {
      clearTimeout(late)
      pendingAcks.delete(id)
    }
  }

  async function relay(jid: string, { message, nodes }: Flow, options: { messageId: string; quoted?: Quoted }) {
    const made = generateWAMessageFromContent(jid, message, { userJid: sock.user!.id, ...options })
    await sock.relayMessage(jid, made.message!, { messageId: made.key.id!, additionalNodes: nodes })
    return made
  }
  const upload = uploadBy(sock)
  const buildOnce = broughtOnce()
  /** Uploads the file before anything is sent. */
  async function buildWithFile(...of: Parameters<typeof buildOnce>): Promise<proto.IMessage> {
    const made = await buildOnce(...of)
    if (!sock.ws.isOpen) throw new TransientChannelError('ERR_WAPP_NOT_INITIALIZED')
    return made
  }
  /** Builds the message first, so that the wait for WhatsApp's answer begins after the upload. */
  const withMedia = async (id: string, content: Outgoing, companyId: number, signal: AbortSignal): Promise<Flow> => ({
    message: await buildWithFile(`${id} ${content.body}`, signal, async () =>
      generateWAMessageContent({ ...(await withFile(content, companyId, ctx)), ...forwardMark(content) }, { upload }),
    ),
    nodes: [],
  })
  async function flowOf(id: string, { interactive, body, media }: Outgoing, companyId: number, signal: AbortSignal): Promise<Flow | null> {
    if (!interactive) return null
    const made =
      media &&
      (await buildWithFile(id, signal, async () => {
        const stream = await ctx.media.read(companyId, media.key)
        return stream ? prepareWAMessageMedia({ image: { stream }, mimetype: media.mime }, { upload }) : {}
      }))
    return nativeFlow(interactive, body, made?.imageMessage ?? null, Math.floor(ctx.clock.now() / 1000))
  }

  const typist = typistOn(sock)
  /** The address of a contact by phone number. WhatsApp moved everybody to ids; a message to the number of such a contact is lost. */
  const known = new Map<string, string>()
  async function addressOf({ ids, group, connectionId, companyId }: Recipient): Promise<string> {
    const by = (kind: Identity['kind']) => ids.find((one) => one.kind === kind)?.id
    const refuseRecipient = (): never => {
      throw new PermanentChannelError('ERR_WAPP_INVALID_CONTACT') // an invalid address makes WhatsApp end the whole stream
    }
    if (group) return jidEncode(by('group') ?? refuseRecipient(), 'g.us')
    const lid = by('lid')
    if (lid) return jidEncode(lid, 'lid')
    const phone = by('phone') ?? refuseRecipient()
    const before = known.get(phone)
    if (before) return before
    const found = await lookUp(phone)
    const both = [...ids, ...idsOf([found])]
    await resolveContact({ id: connectionId, companyId, channel: 'whatsapp' }, { ids: both, name: '', group: false }, false, ctx) // their reply may contain only that id
    known.set(phone, found)
    return found
  }
  async function lookUp(phone: string): Promise<string> {
    const { lidMapping } = sock.signalRepository
    const mapped = await lidMapping.getLIDForPN(jidEncode(phone, 's.whatsapp.net'))
    if (mapped) return jidNormalizedUser(mapped)
    const [found] = (await sock.onWhatsApp(phone)) ?? []
    if (!found?.exists) throw new PermanentChannelError('ERR_WAPP_INVALID_CONTACT')
    const jid = jidNormalizedUser(found.jid)
    return jidNormalizedUser((isPnUser(jid) && (await lidMapping.getLIDForPN(jid))) || jid)
  }
  /** WhatsApp's key of a message. In a group it includes the author. */
  async function keyOf(to: Recipient, id: string): Promise<{ jid: string; key: WAMessageKey; message: proto.IMessage }> {
    const jid = await addressOf(to)
    const kept = await account.kept(id)
    const key = { remoteJid: jid, id, fromMe: kept?.fromMe ?? false, ...(kept?.participant && { participant: kept.participant }) }
    return { jid, key, message: kept ? proto.Message.decode(kept.message) : { conversation: '' } }
  }

  return {
    async send(to, id, content, signal) {
      const jid = await addressOf(to)
      const quoted = content.quotedExternalId === null ? undefined : await keyOf(to, content.quotedExternalId)
      const flow = await flowOf(id, content, to.companyId, signal)
      if (flow) {
        const refused = await sendAndConfirm(jid, flow, id, quoted).then(() => null, refusal)
        if (!refused) return
        ctx.logger.warn({ code: refused.code, kind: content.interactive?.kind }, 'WhatsApp refused the interactive message; sent as text')
      }
      const plain = content.interactive ? inWords(content) : content
      if (!plain.media) return sendAndConfirm(jid, { ...contentOf(plain), ...forwardMark(plain) }, id, quoted)
      const file = await withMedia(id, plain, to.companyId, signal)
      await sendAndConfirm(jid, file, id, quoted)
      const { body, media } = plain
      if (!file.message.audioMessage || body === media.name || body.trim() === '') return
      await sendAndConfirm(jid, { text: body }, captionIdOf(id)).catch((error: unknown) => {
        throw error instanceof PermanentChannelError || error instanceof TransientChannelError
          ? new Error('Caption message was not sent', { cause: error })
          : error
      })
    },
    async react(to, id, emoji) {
      const { jid, key } = await keyOf(to, id)
      await sendAndConfirm(jid, { react: { text: emoji, key } })
    },
    async remove(to, id) {
      for (const one of [id, captionIdOf(id)]) {
        const { jid, key } = await keyOf(to, one)
        if (one === id || key.fromMe) await sendAndConfirm(jid, { delete: key })
      }
    },
    async edit(to, id, body) {
      const { jid, key } = await keyOf(to, id)
      await sendAndConfirm(jid, { text: body, edit: { ...key, fromMe: true } })
    },
    async fetch(at, id) {
      const kept = await account.kept(id)
      return kept && fetched(sock, kept, at, ctx)
    },
    async textOf(id) {
      const kept = await account.kept(id)
      return kept && orderTextOf(sock, kept, ctx.logger)
    },
    typing: async (to) => typist.types(await addressOf(to)),
    picture: async ({ companyId }, to) => pictureOf(sock, await addressOf(to), companyId, ctx),
    isRegistered: async (number) => (await sock.onWhatsApp(number))?.[0]?.exists ?? false,
    callers,
    rejectCall: (callId, from) => sock.rejectCall(callId, from),
    async read(to, ids) {
      const keys = await Promise.all(ids.map((id) => keyOf(to, id)))
      await sock.readMessages(keys.map(({ key }) => key))
    },
  }
}

/** The id of the message with a recording's text, because recordings have no caption. The same recording always gives the same id. */
const captionIdOf = (id: string): string => externalIdFrom(`${id}-words`)

/** A message that WhatsApp refused reached nobody, so the same id can be used for another form of it. */
function refusal(error: unknown): PermanentChannelError {
  if (error instanceof PermanentChannelError && ofItsKind.has(error.code)) return error
  throw error
}

/** Makes phones show the message as forwarded. */
const forwardMark = ({ forwarded }: Outgoing) => (forwarded ? { contextInfo: { isForwarded: true, forwardingScore: 1 } } : {})

/** Whether the client tried to send on a closed socket. */
const closed = (error: unknown) => (error as { output?: { statusCode?: number } }).output?.statusCode === 428

function contentOf({ kind, body, vCard }: Outgoing): AnyMessageContent {
  if (kind === 'contactMessage') {
    const contacts = vCardsIn(vCard ?? '').map((vcard) => ({ vcard, displayName: cards(vcard)[0]!.name }))
    return { contacts: { displayName: contacts.map(({ displayName }) => displayName).join(', '), contacts } }
  }
  const place = kind === 'locationMessage' ? placeIn(body) : null
  if (!place) return { text: body }
  const { latitude: degreesLatitude, longitude: degreesLongitude, name } = place
  return { location: { degreesLatitude, degreesLongitude, ...(name && { name }) } }
}
