/** The side of a list item on which another is dropped. */
export type Edge = 'top' | 'bottom' | 'left' | 'right'
/** The order of a list that a user sets by hand. `kind`: only rows of the same list can be dropped onto each other. */
export type RowOrder = { kind: string; onMove: (ids: number[]) => Promise<unknown> }

/** The ids with one moved up (-1) or down (1); null: it is at that end already. */
export function moveBy<Id extends number | string>(ids: readonly Id[], id: Id, step: -1 | 1): Id[] | null {
  const at = ids.indexOf(id)
  const to = at + step
  if (at < 0 || to < 0 || to >= ids.length) return null
  return ids.toSpliced(at, 1).toSpliced(to, 0, id)
}

/** The ids with one moved before or after another. */
export function moveTo<Id extends number | string>(ids: readonly Id[], id: Id, target: Id, where: Edge): Id[] {
  const others = ids.filter((one) => one !== id)
  return others.toSpliced(others.indexOf(target) + (where === 'bottom' || where === 'right' ? 1 : 0), 0, id)
}
