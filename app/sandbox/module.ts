import { PhoneLine, PhoneRow, sandbox, sandboxClock } from '#domain/sandbox/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { clockRoutes } from './clock.ts'
import { beforeCustomersFiles, sandboxRoutes } from './routes.ts'

export const sandboxModule: FeatureModule = {
  isEnabled: (settings) => settings.sandbox,
  calls: [calls('sandbox', sandbox, sandboxRoutes, beforeCustomersFiles), calls('sandboxClock', sandboxClock, clockRoutes)],
  openApiSchemas: { PhoneMessage: PhoneRow, PhoneLine },
}
