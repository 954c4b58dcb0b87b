import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '#app/config.ts'
import { createAppContext } from '#app/context.ts'
import type { FeatureModule } from '#app/module.ts'
import { modulesFor, projectors, streamKinds } from '#app/modules.ts'
import { openProjector } from '#app/roles/projector.ts'
import { openWeb } from '#app/roles/web.ts'
import { openWorker } from '#app/roles/worker.ts'
import type { Clock } from '#app/scheduler/clock.ts'
import { stallMs } from './wait.ts'

type Options = { config: Config; connectionString: string; logger: Logger; areas?: FeatureModule[]; clock?: Clock | undefined }

/**
 * Opens the app in this process, without its startup. A separate process costs more than a second of processor
 * time.
 */
export async function openProduct({ config, connectionString, logger, areas = [], clock }: Options) {
  const streams = [...streamKinds, ...areas.flatMap((area) => area.streamCategories ?? [])]
  const { masterKey } = config
  const ctx = await createAppContext({ config, masterKey, connectionString, logger, projectors, streams, ...(clock && { clock }) })
  const leaving = new AbortController()
  const running: Promise<void>[] = []
  let closeServer = async () => {}
  return {
    ...{ ctx, streams },
    /** Starts the roles of the config and listens on a free port, or on the configured one. */
    async start() {
      if (config.roles.includes('projector')) running.push(openProjector(ctx, leaving.signal))
      if (config.roles.includes('worker')) running.push(openWorker(ctx, leaving.signal))
      const server = await openWeb(ctx, [...modulesFor(config), ...areas])
      closeServer = () => server.close()
      return { server, url: await server.listen({ port: config.port, host: '127.0.0.1' }) }
    },
    async close(): Promise<void> {
      await closeServer()
      leaving.abort()
      await Promise.race([Promise.allSettled(running), sleep(stallMs, undefined, { ref: false })])
      await ctx.close()
    },
  }
}
