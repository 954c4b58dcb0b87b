/** Lanes in the order of the board: by hand, then by id. */
export const byLaneOrder = (a: { id: number; position: number | null }, b: { id: number; position: number | null }): number =>
  (a.position ?? last) - (b.position ?? last) || a.id - b.id
const last = Number.MAX_SAFE_INTEGER

type Lane = { id: number; name: string; nextLaneId: number | null; rollbackLaneId: number | null }
/** The other lanes that name a lane as their next one or as the one to return to. */
export const lanesNaming = <L extends Lane>(lanes: L[], id: number): L[] =>
  lanes.filter((lane) => lane.id !== id && (lane.nextLaneId === id || lane.rollbackLaneId === id))
