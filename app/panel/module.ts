import { panel } from '#domain/panel/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { panelRoutes } from './routes.ts'

export const panelModule: FeatureModule = { calls: [calls('panel', panel, panelRoutes)] }
