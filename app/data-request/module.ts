import { DataRequestRow, dataRequests } from '#domain/data-request/contract.ts'
import { hourMs, minuteMs } from '#domain/duration/rules.ts'
import { calls, type FeatureModule } from '../module.ts'
import { erasePerson, repeatErasures } from './erase.ts'
import { recordErasures } from './erasure-record.ts'
import { exportPerson } from './export.ts'
import { removeExpiredExports } from './export-files.ts'
import { dataRequestRoutes } from './routes.ts'
import { resumeRequests } from './start.ts'

export const dataRequestModule: FeatureModule = {
  calls: [calls('dataRequests', dataRequests, dataRequestRoutes)],
  openApiSchemas: { DataRequest: DataRequestRow },
  jobs: [erasePerson, exportPerson],
  scheduledTasks: [
    { name: 'resume data requests', everyMs: minuteMs, run: resumeRequests },
    { name: 'repeat erasures', everyMs: minuteMs, atStart: true, run: repeatErasures },
    { name: 'record erasures', everyMs: hourMs, atStart: true, run: recordErasures },
    { name: 'remove expired exports', everyMs: hourMs, atStart: true, run: removeExpiredExports },
  ],
}
