import type { WASocket } from '@whiskeysockets/baileys'
import { inWords, PermanentChannelError, TransientChannelError } from '#app/channels/channel.ts'
import type { AppContext } from '#app/context.ts'
import { externalIdFrom } from '#app/message/external-id.ts'
import type { Account } from './account.ts'
import { createConfirmedSend } from './confirmed-send.ts'
import { fetched, pictureOf } from './files.ts'
import type { Live } from './live-sockets.ts'
import type { Memory } from './memory.ts'
import { orderTextOf } from './orders.ts'
import { createMessageBuilder, plainContentOf } from './outbound-content.ts'
import { createRecipientAddresses } from './recipient-addresses.ts'
import { typistOn } from './typist.ts'

/** WhatsApp refuses the kind of message and would accept another kind. */
const ofItsKind = new Set(['400', '405', '479'])

/** The outbound operations of one socket. */
export function createSender(sock: WASocket, account: Account, { callers }: Pick<Memory, 'callers'>, ctx: AppContext): Live {
  const sendAndConfirm = createConfirmedSend(sock, account)
  const { withMedia, flowOf } = createMessageBuilder(sock, ctx)
  const { addressOf, keyOf } = createRecipientAddresses(sock, account, ctx)
  const typist = typistOn(sock)
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
      if (!plain.media) return sendAndConfirm(jid, plainContentOf(plain), id, quoted)
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
    isRegistered: async (number) => {
      const found = await sock.onWhatsApp(number)
      if (!found) throw new Error('WhatsApp sent no result of the lookup') // an unknown number has an empty result
      return found[0]?.exists ?? false
    },
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
