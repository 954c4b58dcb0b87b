import {
  type AnyMessageContent,
  type BinaryNode,
  generateMessageIDV2,
  generateWAMessageFromContent,
  proto,
  type WAMessageKey,
  type WASocket,
} from '@whiskeysockets/baileys'
import { PermanentChannelError, TransientChannelError } from '#app/channels/channel.ts'
import { ignoreErrors } from '#app/concurrency/ignore-errors.ts'
import type { Account } from './account.ts'
import type { Flow } from './native-flow.ts'

/** Permanent errors of WhatsApp. 463: the account may not start new chats, and each retry makes the restriction longer. */
const refusals = new Map([...['400', '403', '405', '463', '479'].map((code) => [code, code] as const), ['404', 'ERR_WAPP_INVALID_CONTACT']])
function errorOf(error: string): Error {
  const code = refusals.get(error)
  if (code) return new PermanentChannelError(code)
  return error === '429' ? new TransientChannelError('TOO_FAST') : new Error(`WhatsApp answered with error ${error}`)
}
const answerMs = 20_000
/** The message that a reply quotes. */
export type Quoted = { key: WAMessageKey; message: proto.IMessage }

/** Creates the function that sends over a socket and awaits WhatsApp's ack. */
export function createConfirmedSend(sock: WASocket, account: Pick<Account, 'keep'>) {
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
  return async function sendAndConfirm(
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
      const sent = 'nodes' in content ? await relay(sock, jid, content, options) : await sock.sendMessage(jid, content, options)
      if (!sent?.message) return
      await account.keep({ id, fromMe: true, chat: jid, participant: null, message: proto.Message.encode(sent.message).finish() })
      await waiting.promise
    } catch (error) {
      throw isSocketClosed(error) ? new TransientChannelError('ERR_WAPP_NOT_INITIALIZED') : error
    } finally {
      clearTimeout(late)
      pendingAcks.delete(id)
    }
  }
}

async function relay(sock: WASocket, jid: string, { message, nodes }: Flow, options: { messageId: string; quoted?: Quoted }) {
  const made = generateWAMessageFromContent(jid, message, { userJid: sock.user!.id, ...options })
  await sock.relayMessage(jid, made.message!, { messageId: made.key.id!, additionalNodes: nodes })
  return made
}

/** Whether the client tried to send on a closed socket. */
const isSocketClosed = (error: unknown) => (error as { output?: { statusCode?: number } }).output?.statusCode === 428
