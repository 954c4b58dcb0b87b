import { buffer } from 'node:stream/consumers'
import type { Media } from '#domain/ticket/events.ts'
import { type Connection, PermanentChannelError } from '../channels/channel.ts'
import { downloadMedia, type Outside, orNone } from '../inbound/media-download.ts'
import { asAccount, type Deps, retryUnknownOutcome } from './calling.ts'
import type { CloudFile } from './parse-cloud-change.ts'
import type { MessengerFile } from './parse-messenger-event.ts'

type From = Pick<Connection, 'id' | 'companyId'>

/** Downloads a WhatsApp file. Its URL is requested by id, is valid for minutes and needs the token. */
export const cloudFile = (deps: Deps) => (from: From, _externalId: string, given: unknown) =>
  orNone(
    asAccount(deps, from.id, async ({ token, appSecret }) => {
      const { id, sha256, name, mime } = given as CloudFile
      const headers = { authorization: `Bearer ${token}` }
      for (let tries = 0; tries < 2; tries++) {
        const found = await retryUnknownOutcome(deps.graph.call('GET', encodeURIComponent(id), { token, appSecret }))
        const source = { address: String(found.url), name, mime, sha256: sha256 || String(found.sha256 ?? ''), headers }
        const file = await downloadMedia(deps, from.companyId, { ...source, trusted: [deps.graph.origin] })
        if (file) return file
      }
      return null
    }),
  )

export const messengerFile = (deps: Deps) => (from: From, _externalId: string, given: unknown) =>
  orNone(downloadMedia(deps, from.companyId, open(deps, (given as MessengerFile).url)))
/** A file that anyone with the URL can read. */
export const open = ({ graph }: Pick<Deps, 'graph'>, address: string): Outside => ({
  ...{ address, name: '', mime: '', sha256: '', headers: {} },
  trusted: [graph.origin],
})

/** Reads a stored file for sending. */
export async function fileOf({ media }: Pick<Deps, 'media'>, companyId: number, { key, mime, name }: Media): Promise<File> {
  const stream = await media.read(companyId, key)
  if (!stream) throw new PermanentChannelError('ERR_NO_MEDIA_FOUND')
  return new File([await buffer(stream)], name, { type: mime })
}
