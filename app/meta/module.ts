import type { FeatureModule } from '../module.ts'
import { mountWebhooks } from './webhooks.ts'

export const metaModule: FeatureModule = { calls: [mountWebhooks] }
