import { type AnyMessageContent, generateWAMessageContent, prepareWAMessageMedia, type proto, type WASocket } from '@whiskeysockets/baileys'
import { type Outgoing, TransientChannelError } from '#app/channels/channel.ts'
import type { AppContext } from '#app/context.ts'
import { placeIn } from '#domain/message/rules.ts'
import { cards, vCardsIn } from '#domain/vcard/rules.ts'
import { withFile } from './files.ts'
import { type Flow, nativeFlow } from './native-flow.ts'
import { broughtOnce, uploadBy } from './uploads.ts'

/** Builds messages of WhatsApp's format that contain files or buttons. Files are uploaded before anything is sent. */
export function createMessageBuilder(sock: WASocket, ctx: AppContext) {
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
  return { withMedia, flowOf }
}

/** The content of a message without a file. */
export const plainContentOf = (content: Outgoing): AnyMessageContent => ({ ...contentOf(content), ...forwardMark(content) })

/** Makes phones show the message as forwarded. */
const forwardMark = ({ forwarded }: Outgoing) => (forwarded ? { contextInfo: { isForwarded: true, forwardingScore: 1 } } : {})

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
