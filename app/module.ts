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
import { once } from './http/idempotency.ts'
import { type Handlers, serve, type UploadGuard, type WithFiles } from './http/serve.ts'
import type { LiveTopic, RoomKey, SocketSession } from './live/gateway.ts'
import type { Deadlines } from './scheduler/deadlines.ts'
import type { Job } from './scheduler/jobs.ts'
import type { Recurring } from './scheduler/recurring.ts'

/** All that one area brings to the house. A process takes of it what its roles ask for, and names nothing by hand. */
export type FeatureModule = {
  /** Where only some houses have it. */
  isEnabled?: (config: Config) => boolean
  /** Web: calls with their handlers. */
  calls?: RouteRegistration[]
  /** Web: what its rows and bodies are called where the calls are described. */
  openApiSchemas?: Record<string, TSchema>
  /** Web: live topics, how their rows are read and who has joined them. */
  topics?: (ctx: Pick<AppContext, 'db' | 'media'>) => LiveTopic[]
  /** Web: what a socket may join, of those that the protocol names. */
  rooms?: Rooms
  /** The kinds of stream that it keeps in the log: they are verified, saved and put back. */
  streamCategories?: StreamCategory[]
  /** Projector, rebuild, and whoever waits for a row. */
  readModels?: Projector<any>[]
  /** Worker: what the system does about an event. */
  reactors?: Reactor<any, AppContext>[]
  /** Worker: what is asked for when a timer is due, by its kind. */
  deadlines?: Deadlines<AppContext>
  /** Worker. */
  jobs?: Job<any, WorkerContext>[]
  /** Worker: what takes longer than a call, by its kind. */
  bulkOperations?: LongWorks
  /** Worker: what is looked after again and again. */
  scheduledTasks?: Recurring<AppContext>[]
  /** Worker: what runs as long as it does. */
  backgroundTasks?: ((ctx: WorkerContext, signal: AbortSignal) => Promise<void>)[]
  /** Worker: what carries messages, by the provider that a connection names. */
  channels?: (ctx: AppContext) => Record<string, Channel>
}
/** `of`: the room that an emit's data names, null where it names none; `may`: whether the seat may join it. */
export type Rooms = {
  [N in RoomName]?: {
    of: (data: unknown) => RoomKey | null
    may?: (ctx: AppContext, seat: SocketSession, key: RoomKey) => Promise<boolean>
  }
}
/** What a worker's jobs and whatever lasts may use. */
export type WorkerContext = AppContext & { channel: (provider: string) => Channel | undefined; longWorks: LongWorks }
type RouteRegistration = (server: FastifyInstance, ctx: AppContext) => void

/** A contract with its handlers, under the tag that /docs lists it by; `first`: what is asked before the files of a call are read. */
export const calls =
  <K extends Calls>(
    tag: string,
    contract: K,
    handlers: (ctx: AppContext) => Handlers<K>,
    ...first: WithFiles<K> extends never ? [] : [first: (ctx: AppContext) => UploadGuard<K>]
  ): RouteRegistration =>
  (server, ctx) =>
    serve(server, tag, contract, once(ctx.db, contract, handlers(ctx)), ...(first.map((of) => of(ctx)) as never))
