import { type Kysely, sql } from 'kysely'
import { bareNumber, phoneNetwork } from '#domain/contact/rules.ts'
import { withExtraFields } from '#domain/contact-field/rules.ts'
import { importedName } from '#domain/contact-import/changes.ts'
import type { Existing } from '#domain/contact-import/contract.ts'
import type { ImportedContact } from '#domain/contact-import/rules.ts'
import { tag } from '#domain/tag/contract.ts'
import type { Database } from '#projections/database.ts'
import { recordChange } from '../audit/record.ts'
import { contactList, labelsOf } from '../contact/labels.ts'

type Who = { id: number; companyId: number }
export type SavedContact = { id: number; outcome: 'created' | 'updated' | 'unchanged' }

const auditedFields = ['id', 'name', 'number', 'email', 'extraInfo', 'active', 'disableBot', 'acceptAudioMessage', 'version'] as const
const newTagColor = '#7a8699'

/**
 * Creates a contact, or completes the one with this number, in the caller's transaction. An empty field changes nothing, and tags are only
 * added. A name that is only the number does not count as a name.
 */
export async function saveContact(
  on: Kysely<Database>,
  who: Who,
  row: ImportedContact,
  existing: Existing = 'update',
): Promise<SavedContact> {
  const { companyId } = who
  const { name, number, numberKey, email, tags, extra } = row
  const nameless = bareNumber(name) === number
  const created = await on
    .insertInto('contact')
    .values({
      companyId,
      name,
      nameless,
      number,
      numberKey,
      email,
      channel: phoneNetwork,
      extraInfo: JSON.stringify(withExtraFields([], extra)),
      ...noOrigin,
    })
    .onConflict((known) => known.columns(['companyId', 'channel', 'numberKey']).where('deletedAt', 'is', null).doNothing())
    .returning(auditedFields)
    .executeTakeFirst()
  if (created) {
    await recordChange(on, contactList, who, { before: null, after: created })
    await addTags(on, who, created.id, tags)
    return { id: created.id, outcome: 'created' }
  }
  const before = await on
    .selectFrom('contact')
    .select([...auditedFields, 'nameless'])
    .where('id', '=', personWith(on, companyId, numberKey))
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!before) return saveContact(on, who, row, existing) // it was deleted meanwhile
  const { nameless: wasNameless, ...was } = before
  const { id, version } = was
  if (existing === 'keep' || (existing === 'names' && (!wasNameless || nameless))) return { id, outcome: 'unchanged' }
  const extraInfo = JSON.stringify(withExtraFields(before.extraInfo, extra))
  const isExtra = extra.length > 0 && extraInfo !== JSON.stringify(withExtraFields(before.extraInfo, []))
  const newName = importedName(before.name, row)
  const isOther = newName !== before.name || (email !== '' && email !== before.email) || isExtra
  if (isOther) {
    const change = {
      name: newName,
      nameless: false,
      ...(email !== '' && { email }),
      ...(isExtra && { extraInfo }),
      version: version + 1,
      updatedAt: sql<string>`app_now()`,
    }
    const after = on.updateTable('contact').set(change).where('id', '=', id).returning(auditedFields)
    await recordChange(on, contactList, who, { before: was, after: await after.executeTakeFirstOrThrow() })
  }
  const isTagged = await addTags(on, who, id, tags)
  return { id, outcome: isOther || isTagged ? 'updated' : 'unchanged' }
}
/** The contact that has a number; of a merged contact, its target (A-MERGE-01). */
const personWith = (on: Kysely<Database>, companyId: number, numberKey: string) =>
  on
    .selectFrom('contact as c')
    .select('c.personId')
    .where('c.companyId', '=', companyId)
    .where('c.channel', '=', phoneNetwork)
    .where('c.numberKey', '=', numberKey)
    .where('c.deletedAt', 'is', null)
const noOrigin = { lgpdAcceptedAt: null, urlPicture: null, whatsappId: null, deletedAt: null }

/** Adds tags by name, and creates missing ones. Returns whether the contact had not all of them. */
async function addTags(on: Kysely<Database>, who: Who, contactId: number, names: string[]): Promise<boolean> {
  if (names.length === 0) return false
  const { companyId } = who
  const ids: number[] = []
  for (const name of names.toSorted()) ids.push(await tagId(on, who, name)) // in order, so that concurrent imports do not deadlock
  const before = await labelsOf(on, contactId)
  const pairs = ids.toSorted((a, b) => a - b).map((tagId) => ({ companyId, contactId, tagId }))
  const added = await on
    .insertInto('contactTag')
    .values(pairs)
    .onConflict((again) => again.doNothing())
    .returning('tagId')
    .execute()
  if (added.length === 0) return false
  await recordChange(on, contactList, who, { before, after: await labelsOf(on, contactId) })
  return true
}

async function tagId(on: Kysely<Database>, who: Who, name: string): Promise<number> {
  const { companyId, id: userId } = who
  const named = on.selectFrom('tag').select('id').where('companyId', '=', companyId).where('kanban', '=', 0)
  const known = () => named.where(sql<boolean>`same_name(name) = same_name(${name})`).executeTakeFirst()
  const found = await known()
  if (found) return found.id
  const lane = { timeLane: null, nextLaneId: null, rollbackLaneId: null, greetingMessageLane: null, position: null }
  const created = await on
    .insertInto('tag')
    .values({ companyId, userId, name, color: newTagColor, kanban: 0, ...lane })
    .onConflict((same) => same.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!created) return (await known())!.id
  await recordChange(on, tag, who, { before: null, after: created })
  return created.id
}
