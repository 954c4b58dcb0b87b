import type { FeatureModule } from '../module.ts'
import { mountWebhooks } from './webhooks.ts'

export const metaArea: FeatureModule = { calls: [mountWebhooks] }
