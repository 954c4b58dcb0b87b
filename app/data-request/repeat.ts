import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import { inOneCommit } from '../bulk-operation/bulk-operations.ts'
import type { AppContext } from '../context.ts'
import { type Deps as ErasureDeps, erasePerson } from './erase.ts'
import { readErasures } from './erasure-record.ts'
import { subjectOf } from './preview.ts'
import type { ErasureReceipt } from './receipt.ts'
import { activeTicketsOf, insertErasure } from './start.ts'

type Deps = ErasureDeps & Pick<AppContext, 'load' | 'execute' | 'enqueue' | 'logger'>
type Missing = { companyId: number; personId: number; receipt: ErasureReceipt }

/**
 * Repeats the erasures of the record whose effect is missing, because an older backup was restored (A-ERASE-08). Runs before a process accepts work,
 * so that no user sees the erased person in between. A second run finds nothing to do.
 */
export async function repeatRecordedErasures(deps: Deps): Promise<void> {
  const { logger } = deps
  const { receipts, foreign } = await readErasures(deps)
  if (foreign > 0) logger.error({ lines: foreign }, 'Erasure record has lines without a valid signature')
  const missing = await missingIn(deps.db, receipts)
  const repeated: number[] = []
  for (const one of missing)
    try {
      if (await repeat(deps, one)) repeated.push(one.personId)
    } catch (error) {
      logger.error({ err: error, contactId: one.personId }, 'Erasure could not be repeated; the next start tries again')
    }
  if (repeated.length > 0) logger.warn({ contacts: repeated }, 'Erasures repeated after a restore')
}

/**
 * The persons of the receipts who are there and not erased. A contact is the same one only if it has the same time of creation, because the ids
 * after a backup are assigned again.
 */
async function missingIn(db: Kysely<Database>, receipts: ErasureReceipt[]): Promise<Missing[]> {
  const named = new Map<number, { receipt: ErasureReceipt; createdAt: string | null }[]>()
  for (const receipt of receipts)
    for (const { id, createdAt } of receipt.contacts ?? [{ id: receipt.contact, createdAt: null }])
      named.set(id, [...(named.get(id) ?? []), { receipt, createdAt }])
  if (named.size === 0) return []
  const rows = await db
    .selectFrom('contact as c')
    .select(['c.id', 'c.companyId', 'c.personId', 'c.createdAt'])
    .where('c.id', 'in', [...named.keys()])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('dataRequest as r')
            .select('r.id')
            .whereRef('r.contactId', '=', 'c.personId')
            .where('r.kind', '=', 'erasure')
            .where('r.state', '=', 'done'),
        ),
      ),
    )
    .orderBy('c.id')
    .execute()
  const found = rows.flatMap(({ id, companyId, personId, createdAt }) => {
    const isSame = ({ receipt, createdAt: wanted }: { receipt: ErasureReceipt; createdAt: string | null }) =>
      receipt.company === companyId &&
      (wanted === null ? Date.parse(createdAt) < Date.parse(receipt.requestedAt) : Date.parse(createdAt) === Date.parse(wanted))
    const own = named.get(id)!.find(isSame)
    return own ? [{ companyId, personId, receipt: own.receipt }] : []
  })
  return [...new Map(found.map((one) => [one.personId, one])).values()]
}

/** Returns false if the person is merged with contacts that were not erased: an admin must separate them first. */
async function repeat(deps: Deps, { companyId, personId, receipt }: Missing): Promise<boolean> {
  const { db, logger } = deps
  const { requestedBy: userId, requestedAt } = receipt
  const { person } = await subjectOf(db, { companyId }, personId)
  const erased = receipt.contacts?.map(({ id }) => id) ?? person.contacts
  if (!person.contacts.every((id) => erased.includes(id))) {
    logger.error({ contactId: personId }, 'Erasure not repeated; separate the merged contacts')
    return false
  }
  const closed = await closeTickets(deps, companyId, personId)
  const requestId = await inOneCommit(deps, async ({ db: on, enqueue }) => {
    const by = { companyId, userId, address: null, requestedAt }
    return insertErasure({ on, enqueue, signingKey: deps.signingKey }, by, personId, closed)
  })
  await erasePerson.run({ requestId }, deps)
  return true
}

/** Closes tickets that were active at the time of the backup, without a message. Returns the tickets that hold a place. */
async function closeTickets(deps: Deps, companyId: number, personId: number): Promise<number[]> {
  const { active } = await activeTicketsOf(deps, companyId, personId)
  const command = { type: 'Close', reason: 'closeAll', farewell: false, mayCloseWaiting: true, tagMissing: false } as const
  for (const { id } of active) await deps.execute(id, { ...command, companyId, by: { kind: 'system' } }, crypto.randomUUID())
  return (await activeTicketsOf(deps, companyId, personId)).closed
}
