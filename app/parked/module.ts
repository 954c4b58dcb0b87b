import { parked } from '#domain/parked/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { parkedRoutes } from './routes.ts'

export const parkedModule: FeatureModule = { calls: [calls('parked', parked, parkedRoutes)] }
