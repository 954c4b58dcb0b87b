import { PhoneLine, PhoneRow, sandbox, sandboxClock } from '#domain/sandbox/contract.ts'
import { type Area, calls } from '../module.ts'
import { clockRoutes } from './clock.ts'
import { sandboxProvider } from './provider.ts'
import { beforeCustomersFiles, sandboxRoutes } from './routes.ts'

export const sandboxArea: Area = {
  given: (settings) => settings.sandbox,
  calls: [calls('sandbox', sandbox, sandboxRoutes, beforeCustomersFiles), calls('sandboxClock', sandboxClock, clockRoutes)],
  shapes: { PhoneMessage: PhoneRow, PhoneLine },
  channels: ({ db }) => ({ sandbox: sandboxProvider(db) }),
}
