import { sql } from 'kysely'
import { identityKeyOf } from '#domain/contact/identity.ts'
import { networkOf } from '#domain/contact/rules.ts'
import type { Connection, Identity, InboundEvent } from '../channels/channel.ts'
import { type ContactStore, forgetKnown, resolveContact } from './contact-resolver.ts'

/**
 * Moves a contact to a new number. The contact keeps its ticket; the old number no longer identifies it, because its next owner is another
 * person. Does nothing for a person without a contact.
 */
export async function applyNumberChange(
  connection: Connection,
  { from, to }: Extract<InboundEvent, { type: 'numberChanged' }>,
  store: ContactStore,
): Promise<void> {
  const { companyId, channel } = connection
  const known = await resolveContact(connection, { ids: from, name: '', group: false }, false, store)
  if (!known) return
  const found = await resolveContact(connection, { ids: [...from, ...to], name: '', group: false }, false, store)
  const contactIds = [found!.id, ...found!.others]
  const replaced = from.filter((one) => to.some(({ kind }) => kind === one.kind) && !to.some((other) => same(one, other)))
  const phone = to.find(({ kind }) => kind === 'phone')
  await store.db.transaction().execute(async (trx) => {
    for (const one of replaced)
      await trx
        .deleteFrom('contactIdentity')
        .where('companyId', '=', companyId)
        .where('network', '=', networkOf(channel))
        .where('kind', '=', one.kind)
        .where('key', '=', identityKeyOf(one))
        .where('contactId', 'in', contactIds)
        .execute()
    if (!phone) return
    /* A person who wrote from the new number before this event has a second contact, and two contacts cannot share a key. */
    for (const id of [...found!.others, found!.id]) {
      const own = id === found!.id ? '' : ` ${id}`
      const [key, ...oldKeys] = [phone, ...replaced].map((one) => `${identityKeyOf(one)}${own}`)
      await sql`
        update contact c set number = ${phone.id}, number_key = ${key}, name = case when c.nameless then ${phone.id} else c.name end,
          version = version + 1, updated_at = app_now()
        where id = ${id} and number_key = any(${[...oldKeys, ...(own ? [phone, ...replaced].map(identityKeyOf) : [])]}::text[]) and not exists (
          select from contact o where o.company_id = c.company_id and o.channel = c.channel and o.number_key = ${key} and o.deleted_at is null)`.execute(
        trx,
      )
    }
  })
  forgetKnown(store)
}
const same = (a: Identity, b: Identity) => a.kind === b.kind && identityKeyOf(a) === identityKeyOf(b)
