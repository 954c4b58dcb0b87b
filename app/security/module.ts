import { SecurityRow, security } from '#domain/security/contract.ts'
import { type Area, calls } from '../module.ts'
import { securityRoutes } from './routes.ts'

export const securityArea: Area = { calls: [calls('security', security, securityRoutes)], shapes: { SecurityEvent: SecurityRow } }
