import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  type ErasedPerson,
  emailEdges,
  emailsOf,
  isDistinctName,
  nameEdges,
  numberDigits,
  numberPatterns,
} from '#domain/data-request/rules.ts'
import type { Database } from '#projections/database.ts'

/** The person as conditions of SQL. */
export type Sought = {
  companyId: number
  contactIds: readonly number[]
  /** Ids and keys of the person, also as numbers are written inside the country. */
  ids: string[]
  /** Whether a text names the person by number or e-mail address. */
  names: (text: RawBuilder<unknown>) => RawBuilder<boolean>
  /** Whether a text is the person's name, and nothing else. */
  isName: (text: RawBuilder<unknown>) => RawBuilder<boolean>
  /** Whether a text contains the person's full name. */
  containsName: (text: RawBuilder<unknown>) => RawBuilder<boolean>
}

export function soughtBy(companyId: number, contactIds: readonly number[], person: Omit<ErasedPerson, 'files' | 'streams'>): Sought {
  const numbers = numberPatterns(person)
  const names = person.names.filter((name) => name.trim() !== '')
  /* `same_name` folds both sides, so that case, accents and the Turkish İ and ı do not matter. */
  const containsAny = (text: RawBuilder<unknown>, parts: string[], { before, after }: typeof nameEdges) =>
    sql<boolean>`(same_name(${text}) ~ any(array(
      select ${before}::text || regexp_replace(same_name(unnest(${parts}::text[])), '([^[:alnum:] ])', '\\\\\\1', 'g') || ${after}::text)))`
  const hasNumber = (text: RawBuilder<unknown>) =>
    numbers ? sql<boolean>`(${text} ~ ${numbers.quick} and ${text} ~ ${numbers.exact})` : sql<boolean>`false`
  return {
    companyId,
    contactIds,
    ids: [...new Set([person.number, ...person.ids, ...numberDigits(person)])].filter((id) => id !== ''),
    names: (text) =>
      sql<boolean>`(${hasNumber(text)} or (strpos(${text}, '@') > 0 and ${containsAny(text, emailsOf(person), emailEdges)}))`,
    isName: (text) => sql<boolean>`(same_name(${text}) = any(array(select same_name(unnest(${names}::text[])))))`,
    containsName: (text) => containsAny(text, names.filter(isDistinctName), nameEdges),
  }
}

/** Rows of plain tables that hold the person. `rows`: the condition for the rows of `table`. */
type Place = { table: keyof Database; rows: (of: Sought) => RawBuilder<boolean>; set?: (of: Sought) => RawBuilder<unknown> }

const own = ({ companyId, contactIds }: Sought) => sql<boolean>`company_id = ${companyId} and contact_id = any(${contactIds}::int[])`
const cellsWith = ({ companyId, names, isName }: Sought) => {
  const cell = sql.ref('cell')
  return sql<boolean>`company_id = ${companyId} and exists (select from jsonb_array_elements_text(cells) as c(cell) where ${names(cell)} or ${isName(cell)})`
}
/** Journal rows of the person, and dead letters that name the person. */
const journalWith = ({
  companyId,
  ids,
  names,
}: Sought) => sql<boolean>`company_id = ${companyId} and (done_at is not null or refused is not null)
  and (conversation = any(${ids}) or split_part(conversation, '@', 1) = any(${ids}) or (conversation <> '' and ${names(sql.ref('conversation'))})
    or (payload is not null and ${names(sql`payload::text`)}))`

export const importRows: Place = {
  table: 'contactImportRow',
  rows: cellsWith,
  set: () =>
    sql`cells = '[]', number_key = null, error = case when outcome is null then coalesce(error, 'ERR_IMPORT_NUMBER') else error end`,
}
export const phoneBook: Place = {
  table: 'phoneBook',
  rows: ({ companyId, ids }) => sql`company_id = ${companyId} and (number_key = any(${ids}) or number = any(${ids}))`,
}
/** The row stays, so that a redelivery is recognised. An id that holds a phone number does not. */
export const journal: Place = {
  table: 'inboundEvent',
  rows: journalWith,
  set: ({ names }) =>
    sql`conversation = '', payload = null,
      external_id = case when external_id like 'wamid.%' or ${names(sql.ref('external_id'))} then 'erased:' || id else external_id end`,
}
export const outbox: Place = { table: 'outbox', rows: own }

/** What goes with the person, without a count of its own. */
const alsoRemoved: Place[] = [
  { table: 'contactTag', rows: own },
  { table: 'contactPicture', rows: own },
  { table: 'contactIdentity', rows: own },
  {
    table: 'contactFormerNumber', // also of a contact whose former number the person has now
    rows: ({ companyId, contactIds, ids }) =>
      sql`company_id = ${companyId} and (contact_id = any(${contactIds}::int[]) or number = any(${ids}))`,
  },
  {
    table: 'contactDuplicate',
    rows: ({ companyId, contactIds }) =>
      sql`company_id = ${companyId} and (contact_id = any(${contactIds}::int[]) or duplicate_id = any(${contactIds}::int[]))`,
  },
  { table: 'waMessage', rows: ({ companyId, ids }) => sql`company_id = ${companyId} and split_part(who, '@', 1) = any(${ids})` },
  {
    table: 'waKey', // a session or a mapping with the person's number or id; the network makes new ones
    rows: ({ companyId, ids }) => sql`company_id = ${companyId} and regexp_split_to_array(id, '[^0-9A-Za-z]+') && ${ids}::text[]`,
  },
  { table: 'messageProviderId', rows: ({ companyId, ids }) => sql`company_id = ${companyId} and person_key = any(${ids})` },
  {
    table: 'importChat',
    rows: ({ companyId, ids }) => sql`company_id = ${companyId} and split_part(conversation, '@', 1) = any(${ids})`,
    set: () => sql`conversation = '', done_at = coalesce(done_at, now())`,
  },
  {
    table: 'importMessage',
    rows: ({ companyId, names, ids }) =>
      sql`company_id = ${companyId} and payload is not null and (${names(sql`payload::text`)}
        or exists (select from jsonb_array_elements(payload->'from') f where f->>'id' = any(${ids})))`,
  },
  {
    table: 'contactImport',
    rows: ({ companyId, names, containsName }) =>
      sql`company_id = ${companyId} and (${names(sql.ref('name'))} or ${containsName(sql.ref('name'))}
        or ${names(sql`columns::text`)} or ${containsName(sql`columns::text`)})`,
    set: () => sql`name = '', columns = (select coalesce(jsonb_agg(''::text), '[]') from jsonb_array_elements(columns))`,
  },
  {
    table: 'sandboxMessage',
    rows: ({ companyId, ids, names, containsName }) =>
      sql`company_id = ${companyId} and (phone = any(${ids}) or ${names(sql`concat_ws(' ', body, media->>'name', interactive::text)`)}
        or ${containsName(sql`concat_ws(' ', author, body, media->>'name')`)})`,
  },
]

const countOf = async (on: Kysely<Database>, { table, rows }: Place, of: Sought): Promise<number> => {
  const { rows: found } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} where ${rows(of)}`.execute(on)
  return found[0]!.n
}
/** Removes the rows of a place, or their personal columns, and returns how many they were. */
async function clear(on: Kysely<Database>, { table, rows, set }: Place, of: Sought): Promise<number> {
  const name = sql.table(table)
  const statement = set ? sql`update ${name} set ${set(of)} where ${rows(of)}` : sql`delete from ${name} where ${rows(of)}`
  return Number((await statement.execute(on)).numAffectedRows ?? 0n)
}

const counted = { importRows, phoneBook, journal, outbox } as const
type Counted = Record<keyof typeof counted, number>
export const places: Place[] = [...Object.values(counted), ...alsoRemoved]
async function each(act: (place: Place) => Promise<number>): Promise<Counted> {
  const counts: Partial<Counted> = {}
  for (const [name, place] of Object.entries(counted)) counts[name as keyof Counted] = await act(place)
  return counts as Counted
}
export const countPlaces = (on: Kysely<Database>, of: Sought): Promise<Counted> => each((place) => countOf(on, place, of))
/** Clears all places, in the caller's transaction, and returns the counts. */
export async function clearPlaces(on: Kysely<Database>, of: Sought): Promise<Counted> {
  const counts = await each((place) => clear(on, place, of))
  for (const place of alsoRemoved) await clear(on, place, of)
  return counts
}
