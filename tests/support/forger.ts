import { sql } from 'kysely'
import type { StoredEvent } from '#app/event-store/event-store.ts'
import type { FeatureModule } from '#app/module.ts'
import { type EventStoreDouble, eventStoreDouble } from './eventstore.ts'
import { startTestApp, type TestApp } from './server.ts'

export type Engine = 'Postgres' | 'the double of EventStoreDB'
export const engines: Engine[] = ['Postgres', 'the double of EventStoreDB']

/** Rewrites streams as the owner of the log's database could, perhaps without a key. */
export type Forger = {
  /** Rewrites the stream and returns a function that restores it. */
  rewrite: (stream: string, change: (events: StoredEvent[]) => StoredEvent[]) => Promise<() => Promise<void>>
}

export async function forgedInstallation(
  engine: Engine,
  areas: FeatureModule[] = [],
): Promise<{ house: TestApp; forger: Forger; stop: () => Promise<void> }> {
  const double = engine === 'Postgres' ? null : await eventStoreDouble()
  const app = await startTestApp({ areas, ...(double && { config: { eventstoreUrl: double.url } }) })
  const put = double ? intoDouble(double) : intoPostgres(app)
  const forger: Forger = {
    async rewrite(stream, change) {
      const { events } = await app.ctx.eventStore.read(stream)
      await put(stream, change(structuredClone(events)), events)
      return () => put(stream, events, events)
    },
  }
  const stop = async () => {
    await app.stop({ faultsExpected: true })
    double?.kill()
  }
  return { house: app, forger, stop }
}

type Put = (stream: string, events: StoredEvent[], before: StoredEvent[]) => Promise<void>

const intoPostgres =
  ({ db }: TestApp): Put =>
  async (stream, events) => {
    await db.transaction().execute(async (tx) => {
      await sql`delete from event where stream = ${stream}`.execute(tx)
      for (const { position, revision, type, id, data, meta } of events)
        await sql`insert into event (position, stream, version, type, id, data, meta) overriding system value values (${String(position)}::bigint,
          ${stream}, ${Number(revision)}, ${type}, ${id}, ${JSON.stringify(data)}::jsonb, ${JSON.stringify(meta)}::jsonb)`.execute(tx)
    })
  }

const intoDouble =
  (double: EventStoreDouble): Put =>
  async (stream, events) =>
    double.forge(stream, () =>
      events.map(({ position, revision, type, id, data, meta }) => ({
        ...{ position, stream, revision, type, id },
        ...{ data: Buffer.from(JSON.stringify(data)), meta: Buffer.from(JSON.stringify(meta)) },
      })),
    )
