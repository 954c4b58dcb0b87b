import { WorkRow, works } from '#domain/bulk-operation/contract.ts'
import { workTopic } from '#domain/bulk-operation/topic.ts'
import { hourMs } from '#domain/duration/rules.ts'
import { deleteOldCommandIds } from '../http/idempotency.ts'
import { calls, type FeatureModule } from '../module.ts'
import { resumeWorks, runWork, worksIn } from './bulk-operations.ts'
import { workRoutes } from './routes.ts'

export const workModule: FeatureModule = {
  calls: [calls('works', works, workRoutes)],
  openApiSchemas: { Work: WorkRow },
  topics: ({ db }) => [
    {
      topic: workTopic,
      load: async (companyId, ids) =>
        (await worksIn(db, companyId).where('id', 'in', ids).where('dismissed', '=', false).execute()) as WorkRow[],
    },
  ],
  jobs: [runWork],
  scheduledTasks: [
    { name: 'resume long work', everyMs: 5000, run: resumeWorks },
    { name: 'forget what was answered', everyMs: hourMs, atStart: true, run: deleteOldCommandIds },
  ],
}
