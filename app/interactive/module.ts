import { interactive } from '#domain/interactive/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { beforePicture, interactiveRoutes } from './routes.ts'

export const interactiveArea: FeatureModule = { calls: [calls('interactive', interactive, interactiveRoutes, beforePicture)] }
