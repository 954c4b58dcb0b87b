import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { type Identity, keysOf } from '#domain/contact/identity.ts'
import { isNumber, networkOf, phoneNetwork } from '#domain/contact/rules.ts'
import type { ErasureCounts } from '#domain/data-request/contract.ts'
import type { ErasedPerson } from '#domain/data-request/rules.ts'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import type { AppContext } from '../context.ts'
import { mergedMessages, messagesOf } from './merged-messages.ts'
import { countPlaces, type Sought, soughtBy } from './places.ts'
import { countSavedTexts } from './saved-texts.ts'

/** `keys`: the ids of the person by kind, under which the networks know them. */
export type Subject = {
  /** The contact that is shown for the person. */
  id: number
  version: number
  deletedAt: string | null
  keys: { kind: string; key: string }[]
  person: Omit<ErasedPerson, 'files' | 'streams'>
}

/** The person behind a contact, also of one that was deleted or merged into another (A-MERGE-01). A group is no person. */
export async function subjectOf(on: Kysely<Database>, { companyId }: Pick<Viewer, 'companyId'>, id: number): Promise<Subject> {
  const shown = on.selectFrom('contact').select('personId').where('companyId', '=', companyId).where('id', '=', id)
  const same = await on
    .selectFrom('contact')
    .select(['id', 'personId', 'version', 'name', 'number', 'numberKey', 'email', 'isGroup', 'deletedAt'])
    .where('companyId', '=', companyId)
    .where('personId', '=', shown)
    .orderBy('id')
    .execute()
  const row = same.find((one) => one.id === one.personId)
  if (!row) return refuse('ERR_NO_CONTACT_FOUND')
  if (row.isGroup) refuse('ERR_DATA_REQUEST_GROUP')
  const contacts = same.map((one) => one.id)
  const known = await on.selectFrom('contactIdentity').select(['kind', 'id', 'key']).where('contactId', 'in', contacts).execute()
  const former = await formerNumbers(on, companyId, contacts)
  const ids = [...same.flatMap((one) => [one.number, one.numberKey]), ...[...known, ...former].flatMap((one) => [one.id, one.key])].filter(
    (one) => one !== '' && !one.startsWith('deleted-'),
  )
  const phones = same.filter(({ number }) => isNumber(number)).flatMap(({ number }) => keysOf({ kind: 'phone', id: number }))
  const keys = [...[...known, ...former].map(({ kind, key }) => ({ kind, key })), ...phones.map((key) => ({ kind: 'phone', key }))]
  const { name, number, version, deletedAt } = row
  const [names, emails] = [same.map((one) => one.name), same.map((one) => one.email)]
  return { id: row.id, version, deletedAt, keys, person: { name, number, contacts, names, emails, ids: [...new Set(ids)] } }
}

/** The former ids of the contacts, without those that another contact has now. */
async function formerNumbers(
  on: Kysely<Database>,
  companyId: number,
  contacts: number[],
): Promise<{ kind: string; id: string; key: string }[]> {
  const rows = await on.selectFrom('contactFormerNumber').select('ids').where('contactId', 'in', contacts).execute()
  const all = rows.flatMap(({ ids }) => ids as Identity[]).flatMap((one) => keysOf(one).map((key) => ({ ...one, key })))
  if (all.length === 0) return []
  const others = on.selectFrom('contactIdentity').select(['kind', 'key']).where('companyId', '=', companyId)
  const taken = await others
    .where('network', '=', networkOf(phoneNetwork))
    .where('contactId', 'not in', contacts)
    .where('key', 'in', [...new Set(all.map(({ key }) => key))])
    .execute()
  return all.filter(({ kind, key }) => !taken.some((one) => one.kind === kind && one.key === key))
}

/** Counts what an erasure would remove, from the read tables. Messages in groups are found later, in the events. */
export async function previewErasure(
  { db: on, eventStore }: Pick<AppContext, 'db' | 'eventStore'>,
  { companyId }: Viewer,
  { person }: Subject,
): Promise<ErasureCounts> {
  const of = soughtBy(companyId, person.contacts, person)
  const merged = await mergedMessages(on, eventStore, companyId, person.contacts)
  const theirs = [...merged.values()].flatMap((messages) => messagesOf(messages, person.contacts))
  return {
    ...(await countTickets(on, of)),
    ...(await countElsewhere(on, of, theirs)),
    ...(await countPlaces(on, of)),
    ...(await countSavedTexts(on, companyId, person)),
    exports: Number(
      (
        await on
          .selectFrom('dataRequest')
          .select((eb) => eb.fn.countAll<string>().as('n'))
          .where('contactId', 'in', person.contacts)
          .where('fileKey', 'is not', null)
          .executeTakeFirstOrThrow()
      ).n,
    ),
  }
}

async function countTickets(on: Kysely<Database>, { companyId, contactIds }: Sought) {
  const theirs = sql`(select id from ticket where company_id = ${companyId} and contact_id = any(${contactIds}::int[]))`
  const { rows } = await sql<Pick<ErasureCounts, 'tickets' | 'messages' | 'notes' | 'files'>>`select
    (select count(*) from ticket_history where company_id = ${companyId} and contact_id = any(${contactIds}::int[]))::int as tickets,
    (select count(*) from message where ticket_id in ${theirs})::int as messages,
    (select count(*) from note where ticket_id in ${theirs})::int as notes,
    ((select count(distinct media->>'key') from message where ticket_id in ${theirs} and media is not null)
      + (select count(*) from row_file where company_id = ${companyId} and list = 'contact' and row_id = any(${contactIds}::int[])))::int as files`.execute(
    on,
  )
  return rows[0]!
}

/** `theirs`: messages of the person from the time of a merge. */
async function countElsewhere(on: Kysely<Database>, { companyId, contactIds, names }: Sought, theirs: number[]) {
  const others = sql`(select id from ticket where company_id = ${companyId} and contact_id <> all(${contactIds}::int[]))`
  const card = names(sql`coalesce(v_card, '')`)
  const named = names(sql`concat_ws(' ', body, about::text, template::text, interactive::text, media->>'name')`)
  const text = sql`(id = any(${theirs}::int[]) or ${named})`
  const { rows } = await sql<Pick<ErasureCounts, 'cardsElsewhere' | 'messagesElsewhere'>>`select
    (select count(*) from message where company_id = ${companyId} and v_card is not null and ${card} and ticket_id in ${others})::int as cards_elsewhere,
    ((select count(*) from message where company_id = ${companyId} and not (v_card is not null and ${card}) and ${text} and ticket_id in ${others})
      + (select count(*) from note where company_id = ${companyId} and ${names(sql.ref('note'))} and ticket_id in ${others}))::int as messages_elsewhere`.execute(
    on,
  )
  return rows[0]!
}
