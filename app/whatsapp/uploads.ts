import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import {
  encodeBase64EncodedStringForUpload,
  MEDIA_PATH_MAP,
  type proto,
  type WAMediaUploadFunction,
  type WASocket,
} from '@whiskeysockets/baileys'
import { PermanentChannelError, TransientChannelError } from '../channels/channel.ts'
import { uploadMs } from '../outbound/limits.ts'

/** Timeout of a file host, besides the time for the file itself. */
const silentMs = 30_000
const away = () => new TransientChannelError('ERR_CHANNEL_AWAY')
/** Whether a later upload can succeed. Other errors of a host are permanent. */
const isRetryable = (status: number) => status < 400 || status >= 500 || [408, 425, 429].includes(status)

/** Uploads a file to WhatsApp. Baileys' own upload does not tell a refusal from an unavailable host. */
export const uploadBy =
  (sock: Pick<WASocket, 'refreshMediaConn'>): WAMediaUploadFunction =>
  async (filePath, { mediaType, fileEncSha256B64 }) => {
    const file = await openAsBlob(filePath)
    const name = encodeBase64EncodedStringForUpload(fileEncSha256B64)
    const post = { method: 'POST', body: file, headers: { 'content-type': 'application/octet-stream', origin: 'https://web.whatsapp.com' } }
    let status = 0
    for (const renewToken of [false, true]) {
      const { hosts, auth } = await sock.refreshMediaConn(renewToken).catch(() => Promise.reject(away()))
      for (const { hostname } of hosts) {
        const url = `https://${hostname}${MEDIA_PATH_MAP[mediaType]}/${name}?auth=${encodeURIComponent(auth)}&token=${name}`
        const signal = AbortSignal.timeout(silentMs + uploadMs(file.size))
        const answer = await fetch(url, { ...post, signal }).catch(() => null)
        const reply = await answer?.json().catch(() => null)
        if (reply?.url || reply?.direct_path) return { ...reply, mediaUrl: reply.url, directPath: reply.direct_path }
        status = answer?.status ?? 0
      }
      if (status !== 401 && status !== 403) break // the upload token has expired
    }
    if (isRetryable(status)) throw away()
    throw new PermanentChannelError(status === 413 ? 'ERR_TOO_LARGE' : 'ERR_UNSUPPORTED_MEDIA')
  }

type Made = Promise<proto.IMessage>
/** Longer than the longest pause before a retry. */
const keptMs = 900_000
/**
 * Shares running uploads by key. A send that was aborted and is retried waits for the same upload instead of starting a second one. Unused
 * results are dropped after a while.
 */
export function broughtOnce(): (what: string, signal: AbortSignal, make: () => Made) => Made {
  const uploads = new Map<string, Made>()
  function start(what: string, make: () => Made): Made {
    const upload = make()
    const forget = () => void (uploads.get(what) === upload && uploads.delete(what))
    uploads.set(what, upload)
    upload.then(() => setTimeout(forget, keptMs).unref(), forget)
    return upload
  }
  return async (what, signal, make) => {
    if (signal.aborted) throw away()
    const upload = uploads.get(what) ?? start(what, make)
    const made = await Promise.race([upload, once(signal, 'abort').then(() => Promise.reject(away()))])
    uploads.delete(what)
    return made
  }
}
