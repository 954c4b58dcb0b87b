/** The order of a list that a user sets by hand. `kind`: only rows of the same list can be dropped onto each other. */
export type RowOrder = { kind: string; onMove: (ids: number[]) => Promise<unknown> }

/** The ids with one moved up (-1) or down (1); null: it is at that end already. */
export function moveBy(ids: readonly number[], id: number, step: -1 | 1): number[] | null {
  const at = ids.indexOf(id)
  const to = at + step
  if (at < 0 || to < 0 || to >= ids.length) return null
  return ids.toSpliced(at, 1).toSpliced(to, 0, id)
}

/** The ids with one moved above or below another. */
export function moveTo(ids: readonly number[], id: number, target: number, where: 'top' | 'bottom'): number[] {
  const others = ids.filter((one) => one !== id)
  return others.toSpliced(others.indexOf(target) + (where === 'bottom' ? 1 : 0), 0, id)
}
