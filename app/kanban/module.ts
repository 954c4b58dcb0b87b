import { kanban } from '#domain/kanban/contract.ts'
import { type Area, calls } from '../module.ts'
import { kanbanRoutes } from './routes.ts'

export const kanbanArea: Area = { calls: [calls('kanban', kanban, kanbanRoutes)] }
