import type { FeatureModule } from '../module.ts'
import { pruneKept } from './kept.ts'

export const whatsappModule: FeatureModule = {
  isEnabled: ({ whatsappUrl }) => whatsappUrl !== null,
  scheduledTasks: [{ name: 'prune kept WhatsApp messages', everyMs: 60 * 60_000, atStart: true, run: pruneKept }],
}
