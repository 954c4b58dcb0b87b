import type { Media } from '#domain/ticket/events.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { ContactKeys, KeyState } from '../crypto/contact-keys.ts'
import { decryptable } from '../crypto/seal.ts'
import type { EventStore, Json, JsonObject, StoredEvent } from '../event-store/event-store.ts'
import { fileFault } from '../storage/media.ts'
import { sealedIn } from '../verification/decryptability.ts'
import type { VerificationFault } from '../verification/verification-result.ts'

type Event = Pick<StoredEvent, 'stream' | 'id' | 'type' | 'data' | 'meta'>
/** A file and the streams whose events refer to it. */
type Named = { companyId: number; key: string; streams: Set<string> }

export const isFile = (value: unknown): value is Media => /^[0-9a-f]{64}$/.test(String((value as Partial<Media> | null)?.key))

/** Collects the files that events refer to, from the unsealed events and not from tables. */
export function filesNamed(contactKeys: Pick<ContactKeys, 'stateOf' | 'redactions'>) {
  const named = new Map<string, Named>()
  /** Deleted tickets: their files are deleted too, unless another ticket refers to them. */
  const deleted = new Set<string>()
  return {
    files: (): Named[] => [...named.values()].filter(({ streams }) => [...streams].some((stream) => !deleted.has(stream))),
    async take(events: readonly Event[]): Promise<void> {
      const asked = new Map<string, Promise<KeyState>>()
      const redactions = await contactKeys.redactions()
      const mediaOf = async (event: Event): Promise<Json | undefined> => {
        const { contact, fields } = sealedIn(event) ?? { contact: null, fields: [] }
        if (!contact || !fields.includes('media')) return (event.data as JsonObject | null)?.media
        const name = `${contact.companyId}/${contact.contactId}`
        const state = asked.get(name) ?? contactKeys.stateOf(contact)
        asked.set(name, state)
        const { key, state: is } = await state
        return decryptable(event, key, is === 'destroyed', ['media'], redactions.get(event.id)).read.data.media
      }
      await Promise.all(
        events.map(async (event) => {
          const { stream, type, meta } = event
          if (type === 'TicketDeleted') deleted.add(stream)
          const media = await mediaOf(event)
          if (!isFile(media)) return
          const companyId = Number(meta.companyId)
          const file = named.get(`${companyId}/${media.key}`) ?? { companyId, key: media.key, streams: new Set() }
          named.set(`${companyId}/${media.key}`, file)
          file.streams.add(stream)
        }),
      )
    },
  }
}

/** Compares each file with the sha256 in its events, which is also the file's name. Null if the storage location does not exist. */
export async function checkFiles(
  named: ReturnType<typeof filesNamed>,
  { blobs, eventStore }: { blobs: Blobs; eventStore: EventStore },
): Promise<{ files: number; bad: VerificationFault[] } | null> {
  const files = named.files()
  if (files.length > 0 && !(await blobs.exists())) return null
  const bad: VerificationFault[] = []
  for (const { companyId, key, streams } of files) {
    const fault = await fileFault(blobs, companyId, key)
    if (!fault) continue
    for (const stream of streams) await named.take((await eventStore.read(stream)).events) // it may have been deleted meanwhile
    if (!named.files().some((file) => file.companyId === companyId && file.key === key)) continue
    const [stream = ''] = streams
    bad.push({ stream, revision: null, event: null, reason: 'file', detail: `file ${key} ${fault.detail}` })
  }
  return { files: files.length, bad }
}
