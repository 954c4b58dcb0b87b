import { sandbox } from '#domain/sandbox/contract.ts'
import { type Area, calls } from '../area.ts'
import { sandboxProvider } from './provider.ts'
import { beforeCustomersFiles, sandboxRoutes } from './routes.ts'

export const sandboxArea: Area = {
  given: (settings) => settings.sandbox,
  calls: [calls('sandbox', sandbox, sandboxRoutes, beforeCustomersFiles)],
  channels: ({ db }) => ({ sandbox: sandboxProvider(db) }),
}
