import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import type { Calls } from '#domain/contract.ts'
import type { RoomName } from '#domain/live/contract.ts'
import type { StreamCategory } from '#domain/stream.ts'
import type { Projector } from '#projections/projector.ts'
import type { LongWorks } from './bulk-operation/bulk-operations.ts'
import type { Channel } from './channels/channel.ts'
import type { Config } from './config.ts'
import type { AppContext } from './context.ts'
import type { Reactor } from './event-store/reactor.ts'
import { idempotent } from './http/idempotency.ts'
import { type Handlers, serve, type UploadGuard, type WithFiles } from './http/serve.ts'
import type { Gateway, LiveTopic, RoomKey, SocketSession } from './live/gateway.ts'
import type { Deadlines } from './scheduler/deadlines.ts'
import type { Job } from './scheduler/jobs.ts'
import type { Recurring } from './scheduler/recurring.ts'

/** Everything that one feature contributes. A process uses the parts that its roles need. */
export type FeatureModule = {
  /** Enables the feature by config; absent means always. */
  isEnabled?: (config: Config) => boolean
  /** Web: calls with their handlers. */
  calls?: RouteRegistration[]
  /** Web: named schemas for /docs. */
  openApiSchemas?: Record<string, TSchema>
  /** Web: live topics, how their rows are read and who receives them. */
  topics?: (ctx: Pick<AppContext, 'db' | 'media'>) => LiveTopic[]
  /** Web: rooms of the protocol that a socket may join. */
  rooms?: Rooms
  /** Web: what becomes of the socket event `working`. */
  onWorking?: (
    ctx: Pick<AppContext, 'db' | 'notifications'>,
    live: Pick<Gateway, 'sessions'>,
  ) => (session: SocketSession, data: unknown) => Promise<void>
  /** Its stream categories in the event store, which are verified, backed up and restored. */
  streamCategories?: StreamCategory[]
  /** Used by the projector role, by rebuilds, and by callers that wait for a row. */
  readModels?: Projector<any>[]
  /** Worker: reactions to events. */
  reactors?: Reactor<any, AppContext>[]
  /** Worker: what happens when a deadline is due, by its kind. */
  deadlines?: Deadlines<AppContext>
  /** Worker: jobs of the queue. */
  jobs?: Job<any, WorkerContext>[]
  /** Worker: operations that take longer than a call, by kind. */
  bulkOperations?: LongWorks
  /** Worker: tasks that run at an interval. */
  scheduledTasks?: Recurring<AppContext>[]
  /** Worker: tasks that run as long as the worker. */
  backgroundTasks?: ((ctx: WorkerContext, signal: AbortSignal) => Promise<void>)[]
}
/** `of`: the room in the data of an emit, or null. `may`: whether the socket session may join it. */
export type Rooms = {
  [N in RoomName]?: {
    of: (data: unknown) => RoomKey | null
    may?: (ctx: AppContext, session: SocketSession, key: RoomKey) => Promise<boolean>
  }
}
/** The context of jobs and background tasks. */
export type WorkerContext = AppContext & { channel: (provider: string) => Channel | undefined; longWorks: LongWorks }
type RouteRegistration = (server: FastifyInstance, ctx: AppContext) => void

/** Mounts a contract with its handlers under a tag of /docs. `first`: the check before the files of a call are read. */
export const calls =
  <K extends Calls>(
    tag: string,
    contract: K,
    handlers: (ctx: AppContext) => Handlers<K>,
    ...first: WithFiles<K> extends never ? [] : [first: (ctx: AppContext) => UploadGuard<K>]
  ): RouteRegistration =>
  (server, ctx) =>
    serve(server, tag, contract, idempotent(ctx.db, contract, handlers(ctx)), ...(first.map((of) => of(ctx)) as never))
