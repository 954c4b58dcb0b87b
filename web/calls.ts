import { audits } from '#domain/audit/contract.ts'
import { automation } from '#domain/automation/contract.ts'
import { works } from '#domain/bulk-operation/contract.ts'
import { checklist } from '#domain/checklist/contract.ts'
import { companyHours } from '#domain/company/contract.ts'
import { connections } from '#domain/connection/contract.ts'
import { contacts } from '#domain/contact/contract.ts'
import { contactImports } from '#domain/contact-import/contract.ts'
import { dashboard } from '#domain/dashboard/contract.ts'
import { dataRequests } from '#domain/data-request/contract.ts'
import { fileLists } from '#domain/file-list/contract.ts'
import { history } from '#domain/history/contract.ts'
import { installation } from '#domain/installation/contract.ts'
import { interactive } from '#domain/interactive/contract.ts'
import { kanban } from '#domain/kanban/contract.ts'
import { mail } from '#domain/mail/contract.ts'
import { messages } from '#domain/message/contract.ts'
import { messageSearch } from '#domain/message-search/contract.ts'
import { notes } from '#domain/note/contract.ts'
import { panel } from '#domain/panel/contract.ts'
import { parked } from '#domain/parked/contract.ts'
import { queues } from '#domain/queue/contract.ts'
import { quickReplies } from '#domain/quick-reply/contract.ts'
import { report } from '#domain/report/contract.ts'
import { reportFilters } from '#domain/report-filter/contract.ts'
import { sandbox, sandboxClock } from '#domain/sandbox/contract.ts'
import { security } from '#domain/security/contract.ts'
import { session } from '#domain/session/contract.ts'
import { settingCalls } from '#domain/setting/contract.ts'
import { tags } from '#domain/tag/contract.ts'
import { templates } from '#domain/template/contract.ts'
import { closing, tickets } from '#domain/ticket/contract.ts'
import { ticketLogs } from '#domain/ticket-log/contract.ts'
import { traffic } from '#domain/traffic/contract.ts'
import { uploads } from '#domain/upload/contract.ts'
import { users } from '#domain/user/contract.ts'
import { version } from '#domain/version/contract.ts'

/**
 * Every call of the screens, grouped by owner. A build keeps only the path of each call and whether it is public
 * (`slimCalls`).
 */
export const groups = {
  tickets,
  traffic,
  closing,
  ticketLogs,
  automation,
  messages,
  messageSearch,
  templates,
  interactive,
  notes,
  contacts,
  contactImports,
  dataRequests,
  tags,
  fileLists,
  kanban,
  dashboard,
  panel,
  report,
  reportFilters,
  quickReplies,
  queues,
  mail,
  uploads,
  users,
  session,
  security,
  audits,
  settings: settingCalls,
  parked,
  connections,
  companyHours,
  checklist,
  installation,
  version,
  works,
  sandbox,
  sandboxClock,
  history,
}
