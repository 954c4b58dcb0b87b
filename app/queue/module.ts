import { Queue, queue, queues } from '#domain/queue/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { moveLate } from './retire.ts'
import { queueRoutes, queuesIn } from './routes.ts'

export const queueModule: FeatureModule = {
  calls: [calls('queues', queues, queueRoutes)],
  openApiSchemas: { Queue: queue.Row, WholeQueue: Queue, QueueBody: queue.Body },
  topics: ({ db }) => [{ topic: queue.topic, load: (companyId, ids) => queuesIn(db, companyId).where('id', 'in', ids).execute() }],
  jobs: [moveLate],
}
