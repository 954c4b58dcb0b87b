import type { Contact, ContactKeys } from '../crypto/contact-keys.ts'
import { decryptable, isSealed } from '../crypto/seal.ts'
import { isJsonObject, type StoredEvent } from '../event-store/event-store.ts'

type Event = Pick<StoredEvent, 'stream' | 'id' | 'data' | 'meta'>
/** Number of events and the affected contacts, by the reason why sealed fields cannot be read. */
export type Illegible = Record<'erased' | 'key' | 'words', { events: number; contacts: Map<string, Contact> }>

const isId = (value: unknown): value is number => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31

/** The contact and the sealed fields of an event; null if it has none. Checks all types, because a forger may have changed them. */
export function sealedIn({ data, meta }: Event): { contact: Contact; fields: string[] } | null {
  const { companyId, contactId } = isJsonObject(meta) ? meta : {}
  const fields = isJsonObject(data) ? Object.keys(data).filter((field) => isSealed(data[field])) : []
  return fields.length > 0 && isId(companyId) && isId(contactId) ? { contact: { companyId, contactId }, fields } : null
}

/** Checks whether sealed fields can still be read, and counts those that cannot. */
export function createDecryptabilityCheck(contactKeys: Pick<ContactKeys, 'stateOf'>) {
  const none = () => ({ events: 0, contacts: new Map<string, Contact>() })
  const illegible: Illegible = { erased: none(), key: none(), words: none() }
  return {
    illegible,
    async take(events: readonly Event[]): Promise<void> {
      const sealed = events.flatMap((event) => sealedIn(event) ?? []).map(({ contact }) => contact)
      const names = new Map(sealed.map((contact) => [`${contact.companyId}/${contact.contactId}`, contact]))
      const states = new Map(
        await Promise.all([...names].map(async ([name, contact]) => [name, await contactKeys.stateOf(contact)] as const)),
      )
      for (const event of events) {
        const found = sealedIn(event)
        if (!found) continue
        const name = `${found.contact.companyId}/${found.contact.contactId}`
        const { key, state } = states.get(name)!
        const { lost } = decryptable(event, key, state === 'destroyed', found.fields)
        if (lost === null || lost === 'plain') continue
        illegible[lost].events += 1
        illegible[lost].contacts.set(name, found.contact)
      }
    },
  }
}

/** The events of a page that the cached keys cannot unseal. It loads no key that the reader has not loaded already. */
export async function unopenedOf<E extends Event>(
  events: readonly E[],
  unopened: ReadonlyMap<string, unknown>,
  contactKeys: Pick<ContactKeys, 'find'>,
): Promise<E[]> {
  const suspect = await Promise.all(
    events.map(async (event) => {
      const found = sealedIn(event)
      return found !== null && (unopened.has(event.id) || (await contactKeys.find(found.contact)) === null)
    }),
  )
  return events.filter((_, i) => suspect[i])
}

const named = 10
/** One line per reason for fields that cannot be read although they were not erased. */
export function lostLines({ key, words }: Illegible): string[] {
  const line = ({ events, contacts }: Illegible['key'], why: string) => {
    const some = [...contacts.keys()].slice(0, named).join(', ')
    const more = contacts.size > named ? ', …' : ''
    return `${events} events of ${contacts.size} contacts cannot be read: ${why} (company/contact ${some}${more})`
  }
  return [
    ...(key.events > 0 ? [line(key, 'their key is missing')] : []),
    ...(words.events > 0 ? [line(words, 'the key that is there does not open them')] : []),
  ]
}
