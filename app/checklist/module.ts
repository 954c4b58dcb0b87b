import { checklist } from '#domain/checklist/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { checklistRoutes } from './routes.ts'

export const checklistModule: FeatureModule = { calls: [calls('checklist', checklist, checklistRoutes)] }
