import type { FeatureModule } from '../module.ts'
import { cloudChannel } from './cloud.ts'
import { messengerChannel } from './messenger.ts'
import { createReparser } from './parse-webhook-event.ts'
import { mountWebhooks } from './webhooks.ts'

export const metaArea: FeatureModule = {
  calls: [mountWebhooks],
  channels: (ctx) => {
    const understand = createReparser(ctx)
    return { cloud: { ...cloudChannel(ctx), understand }, graph: { ...messengerChannel(ctx), understand } }
  },
}
