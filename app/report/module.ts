import { report } from '#domain/report/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { reportRoutes } from './routes.ts'

export const reportModule: FeatureModule = { calls: [calls('report', report, reportRoutes)] }
