import { Queue, queue, queues } from '#domain/queue/contract.ts'
import { type Area, calls } from '../module.ts'
import { moveLate } from './retire.ts'
import { queueRoutes, queuesIn } from './routes.ts'

export const queueArea: Area = {
  calls: [calls('queues', queues, queueRoutes)],
  shapes: { Queue: queue.Row, WholeQueue: Queue, QueueBody: queue.Body },
  topics: ({ db }) => [{ topic: queue.topic, load: (companyId, ids) => queuesIn(db, companyId).where('id', 'in', ids).execute() }],
  jobs: [moveLate],
}
