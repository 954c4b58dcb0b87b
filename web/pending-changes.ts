import type { Topic } from '#domain/topic.ts'

export type Change<Row> = { op: 'put'; row: Row } | { op: 'drop'; id: number }

/** A change to a row of any topic. `isVisibleIn`: whether a received row contains the change. */
type PendingChange = { change: Change<any>; isVisibleIn: (row: any) => boolean }
const byTopic = new Map<string, Map<number, PendingChange>>()
const listeners = new Map<string, Set<(change: Change<any>) => void>>()

export const idOf = (change: Change<{ id: number }>): number => (change.op === 'put' ? change.row.id : change.id)

/**
 * Adds a stored change that the read models do not contain yet. Every list of the topic shows it, including lists
 * that open later.
 */
export function addPendingChange<Row extends { id: number }>(
  { name }: Topic<Row>,
  change: Change<Row>,
  shows: (row: Row) => boolean,
): void {
  const all = byTopic.get(name) ?? new Map<number, PendingChange>()
  byTopic.set(name, all.set(idOf(change), { change, isVisibleIn: shows }))
  for (const listener of listeners.get(name) ?? []) listener(change)
}
export const pendingChangesOf = (name: string): Change<any>[] => [...(byTopic.get(name)?.values() ?? [])].map(({ change }) => change)

/**
 * Returns the received change, or the pending one if that is newer. A row that contains the pending change ends
 * it.
 */
export function reconcile<Row extends { id: number }>(name: string, received: Change<Row>): Change<Row> {
  const pending = byTopic.get(name)?.get(idOf(received))
  if (!pending) return received
  if (received.op === 'put' && !pending.isVisibleIn(received.row)) return pending.change
  byTopic.get(name)!.delete(idOf(received))
  return received
}

export function onPendingChange(name: string, listener: (change: Change<any>) => void): () => void {
  const all = listeners.get(name) ?? new Set()
  listeners.set(name, all.add(listener))
  return () => void all.delete(listener)
}
