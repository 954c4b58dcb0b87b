import { SecurityRow, security } from '#domain/security/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { securityRoutes } from './routes.ts'

export const securityModule: FeatureModule = {
  calls: [calls('security', security, securityRoutes)],
  openApiSchemas: { SecurityEvent: SecurityRow },
}
