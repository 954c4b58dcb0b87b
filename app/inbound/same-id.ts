import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import type { LoadTicket } from '../ticket/ticket-repository.ts'
import { placesOf } from './contact-places.ts'
import type { Person } from './quoted-message.ts'

/** Begins the digest of an id: `m1.<of the id>.<of the key behind it>`; a second part of the same message has `:1` behind it. */
export const digestsBegin = 'm1.'

/** Shorter than the key of any message. */
const shortestKey = 8
/**
 * What the ids of one message have in common. An id of the Cloud API packs whom it was said to, by number or by user id, and the key of the
 * message behind that. null: it has one id only.
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
/** The id under which a message of a person is known here that is named by this or by another of its ids. null: it is not known. */
export async function knownAs(person: Person, externalId: string, deps: Deps): Promise<string | null> {
  const key = messageKeyOf(externalId)
  if (key === null) return null
  for (const ticketId of await placesOf(deps.db, person, externalId)) {
    const ticket = await deps.load(person.companyId, ticketId, { ids: [externalId] })
    if (ticket.status === 'absent' || ticket.status === 'deleted') continue
    if (ticket.spent.has(externalId)) return externalId
    const known = [...ticket.spent.keys()].findLast((one) => messageKeyOf(one) === key)
    if (known !== undefined) return known
  }
  return null
}
