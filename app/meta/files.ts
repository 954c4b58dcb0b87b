import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '#domain/errors.ts'
import type { Media } from '#domain/ticket/events.ts'
import { type Connection, Later, Refused } from '../channels/channel.ts'
import type { StoredFile } from '../http/media.ts'
import { fetchOutside, NotFetched } from '../http/outside.ts'
import { limits, megabyte } from '../http/uploads.ts'
import { again, asAccount, type Deps } from './calling.ts'
import type { CloudFile } from './cloud-heard.ts'
import type { MessengerFile } from './messenger-heard.ts'

type From = Pick<Connection, 'id' | 'companyId'>
type Found = { address: string; name: string; mime: string; sha256: string; headers: Record<string, string> }

/** A file of WhatsApp's: an address is asked for by its id, which lasts for minutes and wants the token. */
export const cloudFile = (deps: Deps) => (from: From, _externalId: string, given: unknown) =>
  orNone(
    asAccount(deps, from.id, async ({ token, appSecret }) => {
      const { id, sha256, name, mime } = given as CloudFile
      const headers = { authorization: `Bearer ${token}` }
      for (let tries = 0; tries < 2; tries++) {
        const found = await again(deps.graph.call('GET', encodeURIComponent(id), { token, appSecret }))
        const asked = { address: String(found.url), name, mime, sha256: sha256 || String(found.sha256 ?? ''), headers }
        const file = await brought(deps, from, asked)
        if (file) return file
      }
      return null
    }),
  )

export const messengerFile = (deps: Deps) => (from: From, _externalId: string, given: unknown) =>
  orNone(brought(deps, from, { address: (given as MessengerFile).url, name: '', mime: '', sha256: '', headers: {} }))

/** What will never come is none. */
const orNone = (file: Promise<StoredFile | null>) =>
  file.catch((error: unknown) => {
    if (error instanceof Refused) return null
    throw error
  })

/** Into our own store, as what it is and not as what somebody says; null: it is not the one that was told of. */
async function brought({ media, graph, uploadDir }: Deps, { companyId }: From, found: Found): Promise<StoredFile | null> {
  const { address, name, mime, sha256, headers } = found
  const asked = { headers, trusted: [graph.origin], folder: uploadDir, most: limits.video * megabyte }
  const file = await fetchOutside(address, asked).catch((error: unknown) => {
    if (error instanceof NotFetched && error.kept) throw new Refused('ERR_WAPP_DOWNLOAD_MEDIA')
    if (error instanceof NotFetched && error.away) throw new Later('ERR_CHANNEL_AWAY')
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
    if (error instanceof Refusal && error.status < 500) throw new Refused(error.code)
    throw error
  } finally {
    await rm(file.path, { force: true })
  }
}

/** A file of ours, to be sent. */
export async function fileOf({ media }: Pick<Deps, 'media'>, companyId: number, { key, mime, name }: Media): Promise<File> {
  const stream = await media.read(companyId, key)
  if (!stream) throw new Refused('ERR_NO_MEDIA_FOUND')
  return new File([await buffer(stream)], name, { type: mime })
}
