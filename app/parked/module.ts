import { parked } from '#domain/parked/contract.ts'
import { type Area, calls } from '../module.ts'
import { parkedRoutes } from './routes.ts'

export const parkedArea: Area = { calls: [calls('parked', parked, parkedRoutes)] }
