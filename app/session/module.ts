import { session } from '#domain/session/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { mailReset } from './forgot.ts'
import { sessionRoutes } from './routes.ts'

export const sessionModule: FeatureModule = { calls: [calls('auth', session, sessionRoutes)], jobs: [mailReset] }
