import { dashboard } from '#domain/dashboard/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { dashboardRoutes } from './routes.ts'

export const dashboardModule: FeatureModule = { calls: [calls('dashboard', dashboard, dashboardRoutes)] }
