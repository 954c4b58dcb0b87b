import { checklist } from '#domain/checklist/contract.ts'
import { type Area, calls } from '../area.ts'
import { checklistRoutes } from './routes.ts'

export const checklistArea: Area = { calls: [calls('checklist', checklist, checklistRoutes)] }
