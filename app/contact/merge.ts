import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { mergedFields, movedFields, unmergedFields } from '#domain/contact/merge.ts'
import type { MergeChoice } from '#domain/contact/rules.ts'
import { refuse } from '#domain/errors.ts'
import type { MergeChanges } from '#projections/contact/tables.ts'
import type { Database } from '#projections/database.ts'
import { recordChange } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import { storeCommandId } from '../http/idempotency.ts'
import type { Command } from '../http/serve.ts'
import { forgetKnown } from '../inbound/contact-resolver.ts'
import { releaseClosed, updatePersons } from '../ticket/active-ticket-rows.ts'
import { heldTickets } from '../ticket/held-tickets.ts'
import { contactList, labelsOf } from './labels.ts'

type Deps = Pick<AppContext, 'db' | 'load' | 'caches'>
type Act = { viewer: Viewer; command: Command }
const columns = [
  ...(['id', 'isGroup', 'version', 'mergedIntoId', 'deletedAt', 'email', 'extraInfo', 'lgpdAcceptedAt', 'lgpdText'] as const),
]
type Locked = Awaited<ReturnType<typeof lockContacts>>[number]

/**
 * Merges a contact into another: it points to the target, and both are shown as the target (A-MERGE-01). Its tickets, ids and key stay its
 * own, so an undo changes no ticket. Refused while both have an active ticket on one connection. A repeated merge changes nothing.
 */
export async function mergeContacts(deps: Deps, act: Act, sourceId: number, targetId: number, choices: MergeChoice[] = []): Promise<void> {
  if (sourceId === targetId) refuse('ERR_MERGE_SELF')
  const { companyId } = act.viewer
  const ended = await endedTickets(deps, companyId, [sourceId, targetId])
  await deps.db.transaction().execute(async (on) => {
    const contacts = await lockContacts(on, companyId, [sourceId, targetId])
    const source = found(contacts, sourceId)
    const target = found(contacts, targetId)
    await storeCommandId(on, act.viewer, act.command, targetId)
    if (source.mergedIntoId === targetId) return // pressed twice
    if (source.mergedIntoId !== null || target.mergedIntoId !== null) refuse('ERR_NO_CONTACT_FOUND')
    if (source.isGroup || target.isGroup) refuse('ERR_MERGE_GROUP')
    const changes = await moveFields(on, act.viewer, { source, target, choices })
    await on
      .insertInto('contactMerge')
      .values({
        companyId,
        sourceId,
        targetId,
        userId: act.viewer.id,
        undoneAt: null,
        undoneUserId: null,
        changes: JSON.stringify(changes),
      })
      .execute()
    for (const personId of [sourceId, targetId]) await releaseClosed(on, { companyId, personId }, ended)
    await point(on, act.viewer, { source, from: sourceId, to: targetId })
  })
  forgetKnown(deps)
}

/**
 * Undoes a merge. Each ticket belongs again to the contact whose id opened it, also if it was opened after the merge. Fields that were
 * changed since keep their value. A contact that is not merged stays as it is.
 */
export async function separateContacts(deps: Deps, act: Act, sourceId: number): Promise<void> {
  const { companyId } = act.viewer
  await deps.db.transaction().execute(async (on) => {
    const mine = on.selectFrom('contactMerge').selectAll().where('sourceId', '=', sourceId).where('companyId', '=', companyId)
    const merge = await mine.where('undoneAt', 'is', null).executeTakeFirst()
    const contacts = await lockContacts(on, companyId, [sourceId, merge?.targetId ?? sourceId])
    const source = found(contacts, sourceId)
    await storeCommandId(on, act.viewer, act.command, sourceId)
    if (!merge || source.mergedIntoId === null) return // pressed twice
    const target = found(contacts, merge.targetId)
    if (target.mergedIntoId !== null) refuse('ERR_MERGED_FURTHER')
    if (merge.changes.after) await returnFields(on, act.viewer, target, sourceId, merge.changes as MergeChanges)
    const undone = on.updateTable('contactMerge').set({ undoneAt: sql`app_now()`, undoneUserId: act.viewer.id })
    await undone.where('id', '=', merge.id).where('undoneAt', 'is', null).execute()
    await point(on, act.viewer, { source, from: target.id, to: null })
  })
  forgetKnown(deps)
}

/** Locks the rows until the end, also against a ticket that is being opened: the trigger `refuse_deleted_contact`. */
const lockContacts = (on: Kysely<Database>, companyId: number, ids: number[]) =>
  on
    .selectFrom('contact')
    .select(columns)
    .where('companyId', '=', companyId)
    .where('id', 'in', ids)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
const found = (contacts: Locked[], id: number): Locked => contacts.find((one) => one.id === id) ?? refuse('ERR_NO_CONTACT_FOUND')

/** Tickets that have ended but still hold the place of an active one. Refused if both have an active one on one connection. */
async function endedTickets(deps: Deps, companyId: number, contactIds: number[]): Promise<number[]> {
  const held = await heldTickets(deps, companyId, contactIds)
  const active = held.filter(({ isOver }) => !isOver).map(({ connectionId }) => connectionId)
  if (new Set(active).size < active.length) refuse('ERR_MERGE_ACTIVE_TICKETS')
  return held.filter(({ isOver }) => isOver).map(({ ticketId }) => ticketId)
}

/**
 * Points the source and the contacts merged into it to the target; null: to themselves again. The contacts of `from` are searched for those
 * that follow the source.
 */
async function point(on: Kysely<Database>, viewer: Viewer, { source, from, to }: { source: Locked; from: number; to: number | null }) {
  const { companyId } = viewer
  const { rows } = await sql<{ id: number }>`
    with recursive follower as (
      select ${source.id}::int as id
      union select m.source_id from contact_merge m join follower f on f.id = m.target_id where m.undone_at is null
    ) select id from follower join contact using (id) where person_id = ${from} order by id`.execute(on)
  const ids = rows.map(({ id }) => id)
  await sql`update contact set merged_into_id = nullif(${to ?? source.id}::int, id), version = version + 1
    where id = any(${ids}::int[])`.execute(on)
  await updatePersons(on, companyId, ids).catch((error: { code?: string }) => {
    if (error.code === '23505') refuse('ERR_MERGE_ACTIVE_TICKETS') // it was opened meanwhile
    throw error
  })
  const row = { id: source.id, mergedIntoId: source.mergedIntoId }
  await recordChange(on, contactList, viewer, { before: row, after: { ...row, mergedIntoId: to } })
}

type Move = { source: Locked; target: Locked; choices: MergeChoice[] }
/** Gives the target the tags of the source and the fields that it lacks. */
async function moveFields(on: Kysely<Database>, viewer: Viewer, { source, target, choices }: Move): Promise<MergeChanges> {
  await lockTags(on, viewer)
  const tagsOf = async (id: number) =>
    (await on.selectFrom('contactTag').select('tagId').where('contactId', '=', id).orderBy('tagId').execute()).map(({ tagId }) => tagId)
  const [tagIds, own] = [await tagsOf(source.id), await tagsOf(target.id)]
  const newTagIds = tagIds.filter((id) => !own.includes(id))
  const labels = await labelsOf(on, target.id)
  await on.deleteFrom('contactTag').where('contactId', '=', source.id).execute()
  await addTags(on, viewer, target.id, newTagIds)
  await recordChange(on, contactList, viewer, { before: labels, after: await labelsOf(on, target.id) })
  const [before, after] = [fieldsOf(target), mergedFields(fieldsOf(target), fieldsOf(source), choices)]
  await saveFields(on, viewer, target, after)
  return { before, after, ...movedFields(target, source, choices), tagIds, newTagIds }
}

/** Takes back what the merge gave to the target. Tags that were deleted meanwhile stay deleted. */
async function returnFields(on: Kysely<Database>, viewer: Viewer, target: Locked, sourceId: number, changes: MergeChanges): Promise<void> {
  await lockTags(on, viewer)
  const labels = await labelsOf(on, target.id)
  await on
    .deleteFrom('contactTag')
    .where('contactId', '=', target.id)
    .where('tagId', 'in', [0, ...changes.newTagIds])
    .execute()
  await addTags(on, viewer, sourceId, changes.tagIds)
  await recordChange(on, contactList, viewer, { before: labels, after: await labelsOf(on, target.id) })
  await saveFields(on, viewer, target, unmergedFields(fieldsOf(target), changes))
}

const fieldsOf = ({ email, extraInfo, lgpdAcceptedAt, lgpdText }: Locked) => ({ email, extraInfo, lgpdAcceptedAt, lgpdText })
async function saveFields(on: Kysely<Database>, viewer: Viewer, target: Locked, after: ReturnType<typeof fieldsOf>): Promise<void> {
  const row = { ...after, extraInfo: JSON.stringify(after.extraInfo), version: target.version + 1, updatedAt: sql<string>`app_now()` }
  await on.updateTable('contact').set(row).where('id', '=', target.id).execute()
  await recordChange(on, contactList, viewer, { before: { id: target.id, ...fieldsOf(target) }, after: { id: target.id, ...after } })
}

/** Locks the tags in order, because each addition updates the counter in its tag's row. Concurrent calls would otherwise deadlock. */
const lockTags = (on: Kysely<Database>, { companyId }: Viewer) =>
  on.selectFrom('tag').select('id').where('companyId', '=', companyId).orderBy('id').forNoKeyUpdate().execute()

async function addTags(on: Kysely<Database>, { companyId }: Viewer, contactId: number, tagIds: number[]): Promise<void> {
  const present = on
    .selectFrom('tag')
    .where('companyId', '=', companyId)
    .where('id', 'in', [0, ...tagIds])
  await on
    .insertInto('contactTag')
    .columns(['companyId', 'contactId', 'tagId'])
    .expression(present.select(['companyId', sql<number>`${contactId}::int`.as('contactId'), 'id']))
    .onConflict((again) => again.doNothing())
    .execute()
}
