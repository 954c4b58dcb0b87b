import { prefixOf } from '#domain/stream.ts'
import type { AppContext } from '../context.ts'
import { followers as known } from '../modules.ts'

export type FollowerState = { name: string; position: string; eventAt: string | null; appliedAt: string; lag: number; parked: number }

/** The position of each processor, its distance from the head of the event store, and its parked streams. */
export async function readFollowers({ db, eventStore }: Pick<AppContext, 'db' | 'eventStore'>): Promise<FollowerState[]> {
  const [heads, rows, parked] = await Promise.all([
    Promise.all(
      [...new Set(known.map(({ of }) => prefixOf(of)))].map(
        async (prefix) => [prefix, (await eventStore.readHeadPosition(prefix)) ?? 0n] as const,
      ),
    ),
    db.selectFrom('checkpoint').select(['name', 'position', 'eventAt', 'appliedAt']).execute(),
    db
      .selectFrom('parkedStream')
      .select(['follower', (eb) => eb.fn.countAll<number>().as('n')])
      .groupBy('follower')
      .execute(),
  ])
  const headOf = new Map(heads)
  return rows.flatMap(({ name, position, eventAt, appliedAt }) => {
    const one = known.find((follower) => follower.name === name)
    if (!one) return []
    const lag = Math.max(0, Number(headOf.get(prefixOf(one.of))! - BigInt(position)))
    return [{ name, position, eventAt, appliedAt, lag, parked: parked.find(({ follower }) => follower === name)?.n ?? 0 }]
  })
}
