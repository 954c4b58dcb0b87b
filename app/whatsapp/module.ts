import type { FeatureModule } from '../module.ts'
import { whatsappChannel } from './channel.ts'
import { pruneKept } from './kept.ts'

export const whatsappArea: FeatureModule = {
  isEnabled: ({ whatsappUrl }) => whatsappUrl !== null,
  channels: ({ db }) => ({ beta: whatsappChannel(db) }),
  scheduledTasks: [{ name: 'prune kept WhatsApp messages', everyMs: 60 * 60_000, atStart: true, run: pruneKept }],
}
