import { history, historyTopic } from '#domain/history/contract.ts'
import { grownHistories } from '#projections/history/read.ts'
import { keepAnchors } from '../anchor/keep.ts'
import { type Area, calls } from '../area.ts'
import { walkSome } from './chains.ts'
import { historyRoutes } from './routes.ts'

export const historyArea: Area = {
  calls: [calls('histories', history, historyRoutes)],
  topics: ({ db }) => [
    {
      topic: historyTopic,
      load: (companyId, ids) => grownHistories(db, companyId, ids),
      wanted: ({ histories }) => histories.size > 0,
      joined: ({ histories }, { uuid }) => histories.has(uuid),
    },
  ],
  recurring: [{ everyMs: 60_000, run: walkSome }],
  lasting: [keepAnchors],
}
