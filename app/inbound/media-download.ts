import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '#domain/errors.ts'
import { PermanentChannelError, TransientChannelError } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import { downloadTimeoutMs, ExternalFetchError, fetchExternal } from '../http/safe-fetch.ts'
import type { StoredFile } from '../storage/media.ts'

/** `sha256`: the announced hash, or empty. `trusted`: origins that may also have private addresses. */
export type Outside = { address: string; name: string; mime: string; sha256: string; headers: Record<string, string>; trusted: string[] }

/** Downloads a customer's file and stores it with its detected type. Null: the hash differs from the announced one. */
export async function downloadMedia(
  { media, uploadDir }: Pick<AppContext, 'media' | 'uploadDir'>,
  companyId: number,
  { address, name, mime, sha256, headers, trusted }: Outside,
): Promise<StoredFile | null> {
  const most = media.inboundBytes
  const asked = { headers, trusted, folder: uploadDir, maxBytes: most, timeoutMs: downloadTimeoutMs(most) }
  const file = await fetchExternal(address, asked).catch((error: unknown) => {
    if (error instanceof ExternalFetchError && error.permanent) throw new PermanentChannelError('ERR_WAPP_DOWNLOAD_MEDIA')
    if (error instanceof ExternalFetchError && error.unreachable) throw new TransientChannelError('ERR_CHANNEL_AWAY')
    throw error
  })
  try {
    const hash = createHash('sha256')
    await pipeline(createReadStream(file.path), hash)
    const is = hash.digest()
    if (sha256 !== '' && ![is.toString('hex'), is.toString('base64')].includes(sha256)) return null
    const upload = { field: 'medias', name: name || 'file', path: file.path, size: file.size, claims: mime || file.mime }
    return await media.store(companyId, upload, 'customer')
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) throw new PermanentChannelError(error.code)
    throw error
  } finally {
    await rm(file.path, { force: true })
  }
}

/** Returns null for a file that can never be downloaded. */
export const orNone = (file: Promise<StoredFile | null>) =>
  file.catch((error: unknown) => {
    if (error instanceof PermanentChannelError) return null
    throw error
  })
