import type { TicketRow } from '#domain/ticket/contract.ts'

const listeners = new Set<(rows: TicketRow[]) => void>()

/** Reports rows that a list loaded, so that the counts know the tab of each ticket before it moves. */
export function reportLoadedTickets(rows: TicketRow[]): void {
  for (const listener of listeners) listener(rows)
}
export function onLoadedTickets(listener: (rows: TicketRow[]) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
