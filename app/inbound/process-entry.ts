import { Refusal } from '#domain/errors.ts'
import type { LeasedConnection } from '../channels/channel.ts'
import { isTemporary, withFile } from '../channels/fetch-file.ts'
import { withText } from '../channels/fetch-text.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import type { AppContext } from '../context.ts'
import { withName } from './contact-names.ts'
import { forgetKnown } from './contact-resolver.ts'
import { isLate, TargetMissing } from './deferred-events.ts'
import { handleWithinSizeLimit } from './fitting.ts'
import type { Claims, Deps as HandleDeps } from './handle-inbound-event.ts'
import type { JournalEntry } from './journal-reader.ts'

export type Deps = HandleDeps & Pick<AppContext, 'media' | 'uploadDir' | 'caches'>

const giveUpAfter = 20
const warnAtTry = 10

/**
 * Processes one entry and returns what becomes of it. It never rejects. After too many failures the entry becomes a dead letter with its
 * reason, so that it does not delay later ones for ever.
 */
export async function processEntry(
  leased: LeasedConnection,
  claims: Claims,
  entry: JournalEntry,
  deps: Deps,
): Promise<'done' | 'retry' | 'deferred'> {
  const { externalId, payload, tries, unsure } = entry
  try {
    if (!payload) return 'done'
    const attempt = { externalId, unsure: unsure || tries + entry.failures > 0, tries, awaited: entry.awaited }
    const named = await withName(leased.connection, payload, deps)
    const whole = await withText(await withFile(named, leased, entry, deps), leased, entry, deps)
    await handleWithinSizeLimit(leased, claims, attempt, whole, deps)
    return 'done'
  } catch (error) {
    return error instanceof TargetMissing ? deferOrDrop(error, leased, entry, deps) : retryOrGiveUp(error, entry, deps)
  }
}

function deferOrDrop(error: TargetMissing, { connection }: LeasedConnection, entry: JournalEntry, { logger }: Deps): 'done' | 'deferred' {
  if (!isLate(entry)) return 'deferred'
  logger.info(
    { inboundEventId: entry.id, connectionId: connection.id, type: error.message },
    'Inbound event dropped; its target message did not arrive',
  )
  return 'done'
}

async function retryOrGiveUp(error: unknown, entry: JournalEntry, deps: Deps): Promise<'done' | 'retry'> {
  const { id, tries } = entry
  const wasDeleted = error instanceof Refusal && error.code === 'ERR_NO_CONTACT_FOUND'
  if (wasDeleted) forgetKnown(deps) // the next try creates a new contact for the sender
  const refused = error instanceof Refusal && error.status < 500 && !wasDeleted ? error.code : null
  if (!refused && (isTemporary(error) || entry.failures < giveUpAfter)) {
    const silent = isTemporary(error) && tries !== warnAtTry
    deps.logger[silent ? 'debug' : 'warn'](
      { err: error, inboundEventId: id, tries, failures: entry.failures },
      'Inbound event failed; retrying',
    )
    if (!isTemporary(error)) await countFailure(entry, deps)
    return 'retry'
  }
  deps.logger.error({ err: error, inboundEventId: id }, 'Inbound event moved to dead letters')
  return deps.db
    .updateTable('inboundEvent')
    .set({ refused: refused ?? 'ERR_INTERNAL' })
    .where('id', '=', id)
    .execute()
    .then(
      () => 'done' as const,
      () => 'retry' as const,
    )
}

/** Counts a failure in the journal row, so that restarts do not reset the count. Transient errors do not count. */
async function countFailure(entry: JournalEntry, { db }: Deps): Promise<void> {
  entry.failures += 1
  const counted = db.updateTable('inboundEvent').set({ failures: entry.failures }).where('id', '=', entry.id).execute()
  await ignoreErrors(counted, 'the next failure writes the count')
}
