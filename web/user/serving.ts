import { api } from '#web/api.ts'

/** How many tickets somebody serves, of these queues or of all. */
export async function servedBy(userId: number, queueIds?: string): Promise<number> {
  const among = { showAll: true, users: `[${userId}]`, ...(queueIds !== undefined && { queueIds: `[${queueIds}]` }) }
  const lists = await Promise.all((['open', 'group'] as const).map((status) => api.tickets.list({ query: { status, ...among } })))
  return lists.reduce((sum, { count }) => sum + count, 0)
}
