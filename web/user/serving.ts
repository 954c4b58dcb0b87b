import type { UserRow } from '#domain/user/contract.ts'
import { api } from '#web/api.ts'

/** An agent serves their queues, an admin every queue (A-TRANSFER-05). */
export const serves = ({ profile, queues }: Pick<UserRow, 'profile' | 'queues'>, queueId: number): boolean =>
  profile === 'admin' || queues.some(({ id }) => id === queueId)

/** Number of tickets that a user serves, in these queues or in all. */
export async function servedBy(userId: number, queueIds?: string): Promise<number> {
  const among = { showAll: true, users: `[${userId}]`, ...(queueIds !== undefined && { queueIds: `[${queueIds}]` }) }
  const lists = await Promise.all((['open', 'group'] as const).map((status) => api.tickets.list({ query: { status, ...among } })))
  return lists.reduce((sum, { count }) => sum + count, 0)
}
