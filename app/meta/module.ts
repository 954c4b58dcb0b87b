import type { Area } from '../module.ts'
import { cloudChannel } from './cloud.ts'
import { understanding } from './heard.ts'
import { messengerChannel } from './messenger.ts'
import { mountWebhooks } from './webhooks.ts'

export const metaArea: Area = {
  calls: [mountWebhooks],
  channels: (house) => {
    const understand = understanding(house)
    return { cloud: { ...cloudChannel(house), understand }, graph: { ...messengerChannel(house), understand } }
  },
}
