import { audits } from '#domain/audit/contract.ts'
import { type Area, calls } from '../area.ts'
import { auditRoutes } from './routes.ts'

export const auditArea: Area = { calls: [calls('audit', audits, auditRoutes)] }
