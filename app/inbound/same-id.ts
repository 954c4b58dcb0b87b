import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import type { LoadTicket } from '../ticket/ticket-repository.ts'
import { placesOf } from './contact-places.ts'
import type { Person } from './quoted-message.ts'

/** Prefix of an id digest: `m1.<digest of the id>.<digest of its message key>`. Further parts of the message end with `:1`, `:2`. */
export const digestsBegin = 'm1.'

/** Shorter than the key of any message. */
const shortestKey = 8
/**
 * Returns the key that all ids of one message share. An id of the Cloud API encodes the recipient, by number or by user id, followed by the
 * key of the message. Null: the message has only one id.
 */
export function messageKeyOf(externalId: string): string | null {
  if (externalId.startsWith(digestsBegin)) return externalId.replace(/:\d{1,3}$/, '').split('.')[2] ?? null
  if (!externalId.startsWith('wamid.')) return null
  const id = externalId.slice('wamid.'.length).replace(/:\d{1,3}$/, '')
  const packed = Buffer.from(id, 'base64').toString('latin1')
  const runs = packed.match(/[\dA-Za-z]{8,}/g) ?? []
  if (packed.includes('\0') && runs.length > 0) return runs.at(-1)!
  const parts = id.split(/[^\dA-Za-z+=]/).filter((part) => part !== '')
  return parts.length > 1 && parts.at(-1)!.length >= shortestKey ? parts.at(-1)! : null
}

type Deps = { db: Kysely<Database>; load: LoadTicket }
/** Returns the id under which a person's message is stored, by this or another of its ids. Null: the message is not stored. */
export async function knownAs(person: Person, externalId: string, deps: Deps): Promise<string | null> {
  const key = messageKeyOf(externalId)
  if (key === null) return null
  for (const ticketId of await placesOf(deps.db, person, externalId)) {
    const ticket = await deps.load(person.companyId, ticketId, { ids: [externalId] })
    if (ticket.status === 'absent' || ticket.status === 'deleted') continue
    if (ticket.usedIds.has(externalId)) return externalId
    const known = [...ticket.usedIds.keys()].findLast((one) => messageKeyOf(one) === key)
    if (known !== undefined) return known
  }
  return null
}
