import { ReportFilterRow, reportFilters, SentReport } from '#domain/report-filter/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { mailReport, reportMails } from './jobs.ts'
import { reportFilterRoutes } from './routes.ts'

export const reportFilterModule: FeatureModule = {
  calls: [calls('report', reportFilters, reportFilterRoutes)],
  openApiSchemas: { ReportFilter: ReportFilterRow, SentReport },
  jobs: [mailReport],
  scheduledTasks: [reportMails],
}
