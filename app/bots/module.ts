import { AutomationStep, automation } from '#domain/automation/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { whilePaid } from '../plan/expired.ts'
import { sendQueuePosition } from './position.ts'
import { automationRoutes } from './routes.ts'
import { bots } from './run.ts'

export const botModule: FeatureModule = {
  calls: [calls('automation', automation, automationRoutes)],
  openApiSchemas: { AutomationStep },
  reactors: [whilePaid(bots)],
  deadlines: { position: sendQueuePosition },
}
