import { Traffic, traffic } from '#domain/traffic/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { trafficRoutes } from './routes.ts'

export const trafficModule: FeatureModule = { calls: [calls('traffic', traffic, trafficRoutes)], openApiSchemas: { Traffic } }
