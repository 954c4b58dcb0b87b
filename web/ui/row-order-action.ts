import { useSetAtom } from 'jotai'
import type { Collection } from '#web/live.ts'
import { useAsyncAction } from './async-action.ts'
import type { RowOrder } from './row-order.ts'

/** Stores the order of a list that a user sets by hand; null if the list has an order of its own. */
export function useRowOrder<R extends { id: number }>(
  list: Collection<R>,
  kind: string,
  arrange: ((ids: number[]) => Promise<R[]>) | undefined,
): RowOrder | null {
  const apply = useSetAtom(list.apply)
  const act = useAsyncAction()
  if (!arrange) return null
  return { kind, onMove: (ids) => act(async () => apply((await arrange(ids)).map((row) => ({ op: 'put', row }))))() }
}
