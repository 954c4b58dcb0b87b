import { audits } from '#domain/audit/contract.ts'
import { type Area, calls } from '../module.ts'
import { auditRoutes } from './routes.ts'

export const auditArea: Area = { calls: [calls('audit', audits, auditRoutes)] }
