import { type Projector, project, versionUnbuilt } from '#projections/projector.ts'
import { createBackoff, createLoggedBackoff } from '../concurrency/retry.ts'
import type { AppContext } from '../context.ts'
import { applying, PersonalFieldsUnreadable, rebuild } from '../event-store/rebuild.ts'
import { runProcessor } from '../event-store/run-processor.ts'
import { projectors } from '../modules.ts'

/** The projector role: keeps every read model up with the log. Ends when `signal` does. */
export async function openProjector(ctx: AppContext, signal: AbortSignal, all: Projector<any>[] = projectors): Promise<void> {
  await Promise.all(all.map((of) => keepUp(ctx, of, signal)))
}

async function keepUp(ctx: AppContext, of: Projector<any>, signal: AbortSignal): Promise<void> {
  await recorded(ctx, of)
  const renewing = renew(ctx, of, signal, ({ version }, own) => version < own)
  const following = runProcessor(
    {
      ...applying(of, ctx.pool),
      version: Math.max(...of.models.map(({ version }) => version)),
      from: 'start',
      begin: () => project(ctx.pool, of, [], -1n),
      deserted: () => renew(ctx, of, signal, ({ version }, own) => version !== own),
    },
    ctx,
    signal,
  )
  await Promise.all([renewing, following])
}

/** What has no version yet is ours where nothing was projected so far; else it is new, and is to be built from the first event. */
async function recorded({ db }: AppContext, of: Projector<any>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const begun = await tx.selectFrom('checkpoint').select('name').where('name', '=', of.name).forUpdate().executeTakeFirst()
    await tx
      .insertInto('readModel')
      .values(of.models.map(({ name, version }) => ({ name, version: begun ? versionUnbuilt : version })))
      .onConflict((known) => known.doNothing())
      .execute()
  })
}

/** Read models of another version are built anew, while whoever follows the live ones goes on. */
async function renew(
  ctx: AppContext,
  of: Projector<any>,
  signal: AbortSignal,
  stale: (stored: { version: number }, own: number) => boolean,
): Promise<void> {
  const { db, logger } = ctx
  const wait = createLoggedBackoff(createBackoff(1000, 30_000), logger, 'building read models anew')
  while (!signal.aborted)
    try {
      const rows = await db.selectFrom('readModel').select(['name', 'version']).execute()
      const stored = new Map(rows.map((row) => [row.name, row]))
      const only = of.models.flatMap(({ name, version }) => (stale(stored.get(name) ?? { version }, version) ? [name] : []))
      if (only.length === 0) return
      logger.warn({ models: only }, 'read models are of another version and are built anew beside the live ones')
      const { events } = await rebuild(of, ctx, { only, signal })
      logger.warn({ models: only, events }, 'the new read models are in place')
      wait.over()
    } catch (error) {
      if (error instanceof PersonalFieldsUnreadable) {
        const text = 'the read models stay those of another version, for words would be lost with them: npm run rebuild says which'
        return logger.error({ models: of.models.map(({ name }) => name), lost: error.message }, text)
      }
      if (!signal.aborted) await wait.pause(error, signal)
    }
}
