import { type Projector, project, versionUnbuilt } from '#projections/projector.ts'
import { createBackoff, createLoggedBackoff, retryUntilAborted } from '../concurrency/retry.ts'
import type { AppContext } from '../context.ts'
import { applying, PersonalFieldsUnreadable, rebuild } from '../event-store/rebuild.ts'
import { runProcessor } from '../event-store/run-processor.ts'
import { projectors } from '../modules.ts'

/** The projector role: keeps every read model current. Ends when `signal` aborts. */
export async function openProjector(ctx: AppContext, signal: AbortSignal, all: Projector<any>[] = projectors): Promise<void> {
  await Promise.all(all.map((of) => runProjector(ctx, of, signal)))
}

async function runProjector(ctx: AppContext, of: Projector<any>, signal: AbortSignal): Promise<void> {
  await recordVersions(ctx, of)
  const rebuilding = rebuildStaleModels(ctx, of, signal, ({ version }, own) => version < own)
  const processing = runProcessor(
    {
      ...applying(of, ctx.pool),
      version: Math.max(...of.models.map(({ version }) => version)),
      from: 'start',
      begin: () => project(ctx.pool, of, [], -1n),
      deserted: () => rebuildStaleModels(ctx, of, signal, ({ version }, own) => version !== own),
    },
    ctx,
    signal,
  )
  await Promise.all([rebuilding, processing])
}

/** Records the versions of read models. A new model of a projector that has already run must be built from the first event. */
async function recordVersions({ db }: AppContext, of: Projector<any>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const begun = await tx.selectFrom('checkpoint').select('name').where('name', '=', of.name).forUpdate().executeTakeFirst()
    await tx
      .insertInto('readModel')
      .values(of.models.map(({ name, version }) => ({ name, version: begun ? versionUnbuilt : version })))
      .onConflict((known) => known.doNothing())
      .execute()
  })
}

/** Rebuilds read models of another version, while processors continue with the live tables. */
async function rebuildStaleModels(
  ctx: AppContext,
  of: Projector<any>,
  signal: AbortSignal,
  stale: (stored: { version: number }, own: number) => boolean,
): Promise<void> {
  const { db, logger } = ctx
  const wait = createLoggedBackoff(createBackoff(1000, 30_000), logger, 'read model rebuild')
  const rebuildUntilCurrent = async (): Promise<void> => {
    for (;;) {
      const rows = await db.selectFrom('readModel').select(['name', 'version']).execute()
      const stored = new Map(rows.map((row) => [row.name, row]))
      const only = of.models.flatMap(({ name, version }) => (stale(stored.get(name) ?? { version }, version) ? [name] : []))
      if (only.length === 0) return
      logger.warn({ models: only }, 'Read models have another version; rebuilding')
      const { events } = await rebuild(of, ctx, { only, signal })
      logger.warn({ models: only, events }, 'Read models rebuilt')
      wait.over()
    }
  }
  const reportUnreadable = (error: unknown): void => {
    if (!(error instanceof PersonalFieldsUnreadable)) throw error
    const models = of.models.map(({ name }) => name)
    logger.error({ models, lost: error.message }, 'Read models not rebuilt: personal fields would be lost')
  }
  await retryUntilAborted(() => rebuildUntilCurrent().catch(reportUnreadable), wait, signal)
}
