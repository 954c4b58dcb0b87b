import type { CommandMetadata } from '#domain/decider.ts'
import type { TicketCommand } from '#domain/ticket/decide.ts'
import { forEachConcurrently } from '../concurrency/for-each-concurrently.ts'
import type { WaitForProjection } from '../projection/wait-for-projection.ts'
import { ignoreMissingTicket } from './ignore-refusal.ts'
import type { ExecuteTicketCommand } from './ticket-repository.ts'

type Deps = { execute: ExecuteTicketCommand; waitForProjection: WaitForProjection; readHeadPosition: () => Promise<bigint | null> }

const atOnce = 8
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
  const executeOne = (row: T) => execute(row.id, { ...command(row), ...by }, crypto.randomUUID()).catch(ignoreMissingTicket)
  await forEachConcurrently(rows, atOnce, executeOne)
  await waitForProjection(await readHeadPosition())
}
