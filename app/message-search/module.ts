import { messageSearch } from '#domain/message-search/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { messageSearchRoutes } from './routes.ts'

export const messageSearchModule: FeatureModule = {
  calls: [calls('messageSearch', messageSearch, messageSearchRoutes)],
}
