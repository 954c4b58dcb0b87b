import { checklist } from '#domain/checklist/contract.ts'
import { type Area, calls } from '../module.ts'
import { checklistRoutes } from './routes.ts'

export const checklistArea: Area = { calls: [calls('checklist', checklist, checklistRoutes)] }
