import { interactive } from '#domain/interactive/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { beforePicture, interactiveRoutes } from './routes.ts'

export const interactiveModule: FeatureModule = { calls: [calls('interactive', interactive, interactiveRoutes, beforePicture)] }
