import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { hidden } from '#domain/audit/contract.ts'
import type { Database } from '#projections/database.ts'
import { storeCommandId } from '../http/idempotency.ts'
import type { Command } from '../http/serve.ts'

/**
 * A list with an audit log. `masked`: fields whose values are not recorded. `related`: relations are recorded
 * by their shown fields, not ids.
 */
export type Audited = { table: string; masked?: readonly string[]; related?: Record<string, { as?: string } | undefined> }
type Who = { id: number; companyId: number }
type Row = Record<string, any> & { id: number }
type Change<After extends Row | null> = { before: Row | null; after: After }

/**
 * Changes a row and records the user, time, old and new values and command id, in one transaction (events.md
 * 1).
 */
export const audited = <After extends Row | null>(
  db: Kysely<Database>,
  list: Audited,
  { viewer, command }: { viewer: Viewer; command: Command },
  act: (on: Kysely<Database>) => Promise<Change<After>>,
): Promise<After> =>
  db.transaction().execute(async (tx) => {
    const change = await act(tx)
    await recordChange(tx, list, viewer, change)
    await storeCommandId(tx, viewer, command, (change.after ?? change.before!).id)
    return change.after
  })

/** Records the changed fields; for a new or deleted row, all fields. */
export async function recordChange(
  db: Kysely<Database>,
  { table, masked = [], related = {} }: Audited,
  { id: userId, companyId: own }: Who,
  { before, after }: { before: Row | null; after: Row | null },
): Promise<void> {
  const recordedFields = (row: Row | null, other: Row | null) => {
    const fields = Object.entries(row ?? {}).filter(
      ([name, value]) => !ignoredFields.has(name) && !related[name]?.as && (!other || differs(value, other[name])),
    )
    return row && JSON.stringify(Object.fromEntries(fields.map(([name, value]) => [name, masked.includes(name) ? hidden : value])))
  }
  const [was, is] = [recordedFields(before, after), recordedFields(after, before)]
  if (before && after && is === '{}') return
  const companyId: number = (after ?? before)!.companyId ?? own // a super user may change another company's row
  const act = before === null ? 'created' : after === null ? 'removed' : 'changed'
  await db
    .insertInto('audit')
    .values({ companyId, userId, list: table, rowId: (after ?? before)!.id, act, before: was, after: is })
    .execute()
}

const ignoredFields = new Set(['id', 'companyId', 'version', 'updatedAt'])
const differs = (a: unknown, b: unknown) => JSON.stringify(a ?? null) !== JSON.stringify(b ?? null)
