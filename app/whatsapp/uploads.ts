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

/** A host of files from which so long nothing comes. */
const silentMs = 30_000
const away = () => new TransientChannelError('ERR_CHANNEL_AWAY')
/** A host that says no to a file says so again, but for these. */
const mayPass = (status: number) => status < 400 || status >= 500 || [408, 425, 429].includes(status)

/** Brings a file to where phones fetch it from; Baileys' own way tells nobody whether a host refused it or is away. */
export const uploadBy =
  (sock: Pick<WASocket, 'refreshMediaConn'>): WAMediaUploadFunction =>
  async (filePath, { mediaType, fileEncSha256B64 }) => {
    const file = await openAsBlob(filePath)
    const name = encodeBase64EncodedStringForUpload(fileEncSha256B64)
    const post = { method: 'POST', body: file, headers: { 'content-type': 'application/octet-stream', origin: 'https://web.whatsapp.com' } }
    let status = 0
    for (const anew of [false, true]) {
      const { hosts, auth } = await sock.refreshMediaConn(anew).catch(() => Promise.reject(away()))
      for (const { hostname } of hosts) {
        const url = `https://${hostname}${MEDIA_PATH_MAP[mediaType]}/${name}?auth=${encodeURIComponent(auth)}&token=${name}`
        const signal = AbortSignal.timeout(silentMs + uploadMs(file.size))
        const answer = await fetch(url, { ...post, signal }).catch(() => null)
        const reply = await answer?.json().catch(() => null)
        if (reply?.url || reply?.direct_path) return { ...reply, mediaUrl: reply.url, directPath: reply.direct_path }
        status = answer?.status ?? 0
      }
      if (status !== 401 && status !== 403) break // its leave to bring files is over
    }
    if (mayPass(status)) throw away()
    throw new PermanentChannelError(status === 413 ? 'ERR_TOO_LARGE' : 'ERR_UNSUPPORTED_MEDIA')
  }

type Made = Promise<proto.IMessage>
/** Longer than anybody waits before trying again. */
const keptMs = 900_000
/**
 * What is made of a file while that is brought, by what it is for: who gave up on one and tries again waits for the same, and brings no second
 * beside it. What nobody comes back for is forgotten.
 */
export function broughtOnce(): (what: string, signal: AbortSignal, make: () => Made) => Made {
  const bringing = new Map<string, Made>()
  function begin(what: string, make: () => Made): Made {
    const making = make()
    const forget = () => void (bringing.get(what) === making && bringing.delete(what))
    bringing.set(what, making)
    making.then(() => setTimeout(forget, keptMs).unref(), forget)
    return making
  }
  return async (what, signal, make) => {
    if (signal.aborted) throw away()
    const making = bringing.get(what) ?? begin(what, make)
    const made = await Promise.race([making, once(signal, 'abort').then(() => Promise.reject(away()))])
    bringing.delete(what)
    return made
  }
}
