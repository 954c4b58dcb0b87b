import type { FeatureModule } from '../module.ts'
import { cloudChannel } from './cloud.ts'
import { understanding } from './heard.ts'
import { messengerChannel } from './messenger.ts'
import { mountWebhooks } from './webhooks.ts'

export const metaArea: FeatureModule = {
  calls: [mountWebhooks],
  channels: (ctx) => {
    const understand = understanding(ctx)
    return { cloud: { ...cloudChannel(ctx), understand }, graph: { ...messengerChannel(ctx), understand } }
  },
}
