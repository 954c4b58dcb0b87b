/** Queues in the order of bot menus and lists: by hand, then by id (A-BOT-02). */
export const byQueueOrder = (a: { id: number; orderQueue: number | null }, b: { id: number; orderQueue: number | null }): number =>
  (a.orderQueue ?? last) - (b.orderQueue ?? last) || a.id - b.id
const last = Number.MAX_SAFE_INTEGER
