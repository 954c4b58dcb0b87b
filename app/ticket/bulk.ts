import type { CommandMetadata } from '#domain/decider.ts'
import { Refusal } from '#domain/errors.ts'
import type { TicketCommand } from '#domain/ticket/decide.ts'
import type { WaitForProjection } from '../projection/wait-for-projection.ts'
import type { ExecuteTicketCommand } from './ticket-repository.ts'

type Deps = { execute: ExecuteTicketCommand; waitForProjection: WaitForProjection; readHeadPosition: () => Promise<bigint | null> }

/**
 * Executes one command per ticket, in order, and waits for the projection. Each run uses new command ids,
 * because a ticket may have moved back since.
 */
export async function executeForEach<T extends { id: number }>(
  rows: T[],
  command: (row: T) => TicketCommand,
  by: CommandMetadata,
  { execute, waitForProjection, readHeadPosition }: Deps,
): Promise<void> {
  if (rows.length === 0) return
  const remainingRows = rows.values()
  const asking = async () => {
    for (const row of remainingRows) await execute(row.id, { ...command(row), ...by }, crypto.randomUUID()).catch(ignoreMissingTicket)
  }
  await Promise.all(Array.from({ length: 8 }, asking))
  await waitForProjection(await readHeadPosition())
}

/** Ignores a ticket that was deleted in the meantime, because the other tickets still count. */
function ignoreMissingTicket(error: unknown): void {
  if (!(error instanceof Refusal && error.code === 'ERR_NO_TICKET_FOUND')) throw error
}
