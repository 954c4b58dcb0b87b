import type { Topic } from '#domain/topic.ts'

export type Change<Row> = { op: 'put'; row: Row } | { op: 'drop'; id: number }

/** Of rows of any topic. `shows`: whether a row that the server tells of has come to the change. */
type Awaited = { change: Change<any>; shows: (row: any) => boolean }
const byTopic = new Map<string, Map<number, Awaited>>()
const lists = new Map<string, Set<(change: Change<any>) => void>>()

export const idOf = (change: Change<{ id: number }>): number => (change.op === 'put' ? change.row.id : change.id)

/** What is stored and the server does not show yet: every list of the topic, also one that is opened later, has it until the server does. */
export function addPendingChange<Row extends { id: number }>(
  { name }: Topic<Row>,
  change: Change<Row>,
  shows: (row: Row) => boolean,
): void {
  const all = byTopic.get(name) ?? new Map<number, Awaited>()
  byTopic.set(name, all.set(idOf(change), { change, shows }))
  for (const tell of lists.get(name) ?? []) tell(change)
}
export const awaitedOf = (name: string): Change<any>[] => [...(byTopic.get(name)?.values() ?? [])].map(({ change }) => change)

/** What the server tells, unless what is awaited is newer; with the row that shows it, nothing is awaited any more. */
export function newest<Row extends { id: number }>(name: string, received: Change<Row>): Change<Row> {
  const awaited = byTopic.get(name)?.get(idOf(received))
  if (!awaited) return received
  if (received.op === 'put' && !awaited.shows(received.row)) return awaited.change
  byTopic.get(name)!.delete(idOf(received))
  return received
}

export function hearAwaited(name: string, tell: (change: Change<any>) => void): () => void {
  const all = lists.get(name) ?? new Set()
  lists.set(name, all.add(tell))
  return () => void all.delete(tell)
}
