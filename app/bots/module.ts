import { AutomationStep, automation } from '#domain/automation/contract.ts'
import { type Area, calls } from '../module.ts'
import { whilePaid } from '../plan/expired.ts'
import { sayPosition } from './position.ts'
import { automationRoutes } from './routes.ts'
import { bots } from './run.ts'

export const botArea: Area = {
  calls: [calls('automation', automation, automationRoutes)],
  shapes: { AutomationStep },
  reactors: [whilePaid(bots)],
  deadlines: { position: sayPosition },
}
