import { createDecipheriv, createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AnyMessageContent,
  assertMediaContent,
  DEFAULT_ORIGIN,
  extractMessageContent,
  getContentType,
  getMediaKeys,
  type MediaType,
  proto,
  type WAMessage,
  type WASocket,
} from '@whiskeysockets/baileys'
import { Refusal } from '#domain/errors.ts'
import { type Outgoing, PermanentChannelError, TransientChannelError } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import { downloadTimeoutMs, ExternalFetchError, fetchExternal } from '../http/safe-fetch.ts'
import { downloadMedia } from '../inbound/media-download.ts'
import type { StoredFile } from '../storage/media.ts'
import type { StoredMessage } from './account-journal.ts'
import { contentIn } from './wrappers.ts'

/** Length of the MAC after the encrypted file. */
const macBytes = 10
type Of = ReturnType<typeof assertMediaContent>
type Download = { path: string; size: number }

/** Downloads and decrypts the file of a message, and checks its hash. Null: the file is not available. */
export async function fetched(
  sock: WASocket,
  kept: StoredMessage,
  { companyId, id: connectionId }: { companyId: number; id: number },
  ctx: AppContext,
): Promise<StoredFile | null> {
  const at = path.join(ctx.uploadDir, randomUUID())
  const hash = createHash('sha256')
  let size = 0
  async function* counted(bytes: AsyncIterable<Buffer>) {
    for await (const chunk of bytes) {
      size += chunk.length
      hash.update(chunk)
      yield chunk
    }
  }
  let sealed: Download | null = null
  try {
    const content = withKnownFile(proto.Message.decode(kept.message))
    const of = assertMediaContent(content)
    if (!of.mediaKey?.length) throw new PermanentChannelError('ERR_WAPP_DOWNLOAD_MEDIA')
    const name = ('fileName' in of && of.fileName) || 'file'
    const key = { id: kept.id, remoteJid: kept.chat, fromMe: kept.fromMe, ...(kept.participant && { participant: kept.participant }) }
    sealed = await downloadEncrypted(sock, of, of.url, ctx).catch(async (error) => {
      if (!isGone(error)) throw error
      await requestUpload(sock, { key, message: content })
      return downloadEncrypted(sock, of, null, ctx)
    })
    const kind = getContentType(extractMessageContent(content))!.replace('Message', '') as MediaType
    const { cipherKey, iv } = await getMediaKeys(of.mediaKey, kind)
    const end = Math.max(0, sealed.size - macBytes - 1)
    await pipeline(createReadStream(sealed.path, { end }), createDecipheriv('aes-256-cbc', cipherKey, iv), counted, createWriteStream(at))
    if (!of.fileSha256 || !hash.digest().equals(of.fileSha256)) throw new PermanentChannelError('ERR_WAPP_DOWNLOAD_MEDIA')
    const file = await ctx.media.store(companyId, { field: 'medias', name, path: at, size, claims: of.mimetype ?? '' }, 'customer')
    const seconds = 'seconds' in of && of.seconds ? of.seconds : null
    return { ...file, media: { ...file.media, seconds } }
  } catch (error) {
    if (away(error)) throw new TransientChannelError('ERR_CHANNEL_AWAY')
    const never =
      error instanceof PermanentChannelError ||
      error instanceof Refusal ||
      (error instanceof ExternalFetchError && error.permanent) ||
      isPermanent(error)
    if (!never) throw error
    ctx.logger.warn({ err: error, connectionId }, 'WhatsApp file could not be stored')
    return null
  } finally {
    await rm(at, { force: true })
    if (sealed) await rm(sealed.path, { force: true })
  }
}

/** Rewrites the content so that Baileys finds its file: Baileys ignores round videos and unknown wrappers. */
function withKnownFile(message: proto.IMessage): proto.IMessage {
  const content = contentIn(message)
  return content.ptvMessage ? { videoMessage: content.ptvMessage } : content
}

/** Permanent errors of Baileys and OpenSSL: the message names no file, or the file cannot be decrypted. */
function isPermanent(error: unknown): boolean {
  const { library, output } = (error ?? {}) as { library?: string; output?: { statusCode?: number } }
  return output?.statusCode === 400 || library !== undefined
}

/** Downloads the small profile picture of a person. Null: there is none, or it is not visible to us. */
export async function pictureOf(sock: WASocket, jid: string, companyId: number, ctx: AppContext): Promise<StoredFile | null> {
  const address = await sock.profilePictureUrl(jid, 'preview').catch((error: unknown) => {
    const { data } = (error ?? {}) as { data?: unknown }
    if (data === 401 || data === 403 || data === 404) return undefined
    throw away(error) ? new TransientChannelError('ERR_CHANNEL_AWAY') : error
  })
  if (!address) return null
  const { hosts } = await sock.refreshMediaConn(false)
  const from = { name: '', mime: '', sha256: '', headers: {}, trusted: hosts.map(({ hostname }) => `https://${hostname}`) }
  return downloadMedia(ctx, companyId, { address, ...from })
}

/** Downloads the encrypted file. The sender chooses the URL, so only WhatsApp's own hosts are contacted, and redirects are not followed. */
async function downloadEncrypted(
  sock: WASocket,
  of: Of,
  url: string | null | undefined,
  { config, uploadDir, media }: AppContext,
): Promise<Download> {
  const named = url && URL.canParse(url) ? new URL(url) : null
  const theirs = named?.protocol === 'https:' && named.host.endsWith('.whatsapp.net') ? named : null
  const where = of.directPath || (theirs && theirs.pathname + theirs.search)
  if (!where?.startsWith('/')) throw new PermanentChannelError('ERR_WAPP_DOWNLOAD_MEDIA')
  const host = theirs?.host ?? (await sock.refreshMediaConn(false)).hosts[0]!.hostname
  const real = new URL(config.whatsappUrl!).hostname.endsWith('.whatsapp.com')
  return fetchExternal(`https://${host}${where}`, {
    headers: { origin: DEFAULT_ORIGIN },
    maxBytes: media.inboundBytes + 16 + macBytes,
    trusted: real ? [] : [`https://${host}`],
    folder: uploadDir,
    timeoutMs: downloadTimeoutMs(Number(of.fileLength ?? 0)),
    redirects: 0,
  })
}

/** Whether the file host or the socket is unavailable, by the errors of `fetch` and Baileys. */
export function away(error: unknown): boolean {
  if (error instanceof ExternalFetchError) return error.unreachable
  const { cause, output } = (error ?? {}) as { cause?: unknown; output?: { statusCode?: number } }
  const status = output?.statusCode ?? 0
  return (error instanceof TypeError && cause !== undefined) || status >= 500 || [408, 428, 429].includes(status)
}

/** WhatsApp stores a file for some weeks; the phone keeps it longer and can upload it again. */
const isGone = (error: unknown) => error instanceof ExternalFetchError && (error.status === 404 || error.status === 410)
/** A reachable phone answers faster than this. */
const uploadTimeoutMs = 15_000
async function requestUpload(sock: WASocket, message: WAMessage): Promise<void> {
  const late = new AbortController()
  const silent = sleep(uploadTimeoutMs, undefined, { signal: late.signal }).then(() => {
    throw new PermanentChannelError('ERR_WAPP_DOWNLOAD_MEDIA')
  })
  await Promise.race([sock.updateMediaMessage(message), silent]).finally(() => late.abort())
}

/** Audio formats that phones play. */
const playable = /^audio\/(ogg|mpeg|mp4|x-m4a|aac|amr)\b/

/** The content of a message with a file. Audio that phones do not play is sent as a document. */
export async function withFile(
  { kind, body, media }: Outgoing,
  companyId: number,
  { media: files }: Pick<AppContext, 'media'>,
): Promise<AnyMessageContent> {
  const { key, mime, name, seconds } = media!
  const stream = await files.read(companyId, key)
  if (!stream) throw new PermanentChannelError('ERR_WAPP_DOWNLOAD_MEDIA')
  const caption = body === name || body === '' ? {} : { caption: body }
  if (kind === 'image') return { image: { stream }, mimetype: mime, ...caption }
  if (kind === 'video') return { video: { stream }, mimetype: mime, jpegThumbnail: '', ...caption }
  const voice = mime.startsWith('audio/ogg')
  const long = seconds === null ? {} : { seconds: Math.round(seconds) }
  if (kind === 'audio' && playable.test(mime))
    return { audio: { stream }, mimetype: voice ? 'audio/ogg; codecs=opus' : mime, ptt: voice, ...long }
  return { document: { stream }, mimetype: mime, fileName: name, ...caption }
}
