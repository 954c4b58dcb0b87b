import { audits } from '#domain/audit/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { auditRoutes } from './routes.ts'

export const auditModule: FeatureModule = { calls: [calls('audit', audits, auditRoutes)] }
