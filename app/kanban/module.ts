import { kanban } from '#domain/kanban/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { kanbanRoutes } from './routes.ts'

export const kanbanModule: FeatureModule = { calls: [calls('kanban', kanban, kanbanRoutes)] }
