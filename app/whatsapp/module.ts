import { hourMs } from '#domain/duration/rules.ts'
import type { FeatureModule } from '../module.ts'
import { pruneKept } from './kept.ts'

export const whatsappModule: FeatureModule = {
  isEnabled: ({ whatsappUrl }) => whatsappUrl !== null,
  scheduledTasks: [{ name: 'prune kept WhatsApp messages', everyMs: hourMs, atStart: true, run: pruneKept }],
}
