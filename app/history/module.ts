import { auditor } from '#domain/access.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { HistoryEvent, HistoryRow, history, historyTopic } from '#domain/history/contract.ts'
import { historyRevisions } from '#projections/history/read.ts'
import { keepAnchors } from '../anchor/keep.ts'
import { calls, type FeatureModule } from '../module.ts'
import { walkSome } from './chains.ts'
import { historyRoutes } from './routes.ts'

export const historyModule: FeatureModule = {
  calls: [calls('histories', history, historyRoutes)],
  openApiSchemas: { History: HistoryRow, HistoryEvent },
  topics: ({ db }) => [
    {
      topic: historyTopic,
      load: (companyId, ids) => historyRevisions(db, companyId, ids),
      isSubscribed: ({ rooms }) => rooms.History.size > 0,
      isInRoom: ({ rooms }, { uuid }) => rooms.History.has(uuid),
    },
  ],
  rooms: {
    History: {
      of: (data) => {
        const { uuid } = (data ?? {}) as { uuid?: unknown }
        return typeof uuid === 'string' ? uuid.slice(0, 36) : null
      },
      may: async (_, { viewer }) => auditor(viewer) === null,
    },
  },
  scheduledTasks: [{ name: 'walk through histories', everyMs: minuteMs, run: walkSome }],
  backgroundTasks: [keepAnchors],
}
