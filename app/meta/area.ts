import type { Area } from '../area.ts'
import { cloudChannel } from './cloud.ts'
import { messengerChannel } from './messenger.ts'
import { mountWebhooks } from './webhooks.ts'

export const metaArea: Area = {
  calls: [mountWebhooks],
  channels: (house) => ({ cloud: cloudChannel(house), graph: messengerChannel(house) }),
}
