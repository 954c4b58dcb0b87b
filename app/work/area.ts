import { WorkRow, works } from '#domain/work/contract.ts'
import { workTopic } from '#domain/work/topic.ts'
import { type Area, calls } from '../area.ts'
import { forgetAnswered } from '../http/once.ts'
import { resumeWorks, runWork, worksIn } from './long-work.ts'
import { workRoutes } from './routes.ts'

export const workArea: Area = {
  calls: [calls('works', works, workRoutes)],
  shapes: { Work: WorkRow },
  topics: ({ db }) => [
    {
      topic: workTopic,
      load: async (companyId, ids) =>
        (await worksIn(db, companyId).where('id', 'in', ids).where('dismissed', '=', false).execute()) as WorkRow[],
    },
  ],
  jobs: [runWork],
  recurring: [
    { name: 'resume long work', everyMs: 5000, run: resumeWorks },
    { name: 'forget what was answered', everyMs: 60 * 60_000, atStart: true, run: forgetAnswered },
  ],
}
