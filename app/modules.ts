import { prefixOf, type StreamCategory } from '#domain/stream.ts'
import type { Projector } from '#projections/projector.ts'
import { auditModule } from './audit/module.ts'
import { botModule } from './bots/module.ts'
import { workModule } from './bulk-operation/module.ts'
import { chatbotModule } from './chatbot/module.ts'
import { checklistModule } from './checklist/module.ts'
import { companyModule } from './company/module.ts'
import type { Config } from './config.ts'
import { connectionModule } from './connection/module.ts'
import { contactModule } from './contact/module.ts'
import { contactImportModule } from './contact-import/module.ts'
import { dashboardModule } from './dashboard/module.ts'
import { dataRequestModule } from './data-request/module.ts'
import { fileListModule } from './file-list/module.ts'
import { historyModule } from './history/module.ts'
import { installationModule } from './installation/module.ts'
import { interactiveModule } from './interactive/module.ts'
import { kanbanModule } from './kanban/module.ts'
import { mailModule } from './mail/module.ts'
import { messageModule } from './message/module.ts'
import { messageSearchModule } from './message-search/module.ts'
import { metaModule } from './meta/module.ts'
import type { FeatureModule } from './module.ts'
import { noteModule } from './note/module.ts'
import { panelModule } from './panel/module.ts'
import { parkedModule } from './parked/module.ts'
import { queueModule } from './queue/module.ts'
import { quickReplyModule } from './quick-reply/module.ts'
import { reportModule } from './report/module.ts'
import { reportFilterModule } from './report-filter/module.ts'
import { sandboxModule } from './sandbox/module.ts'
import { securityModule } from './security/module.ts'
import { sessionModule } from './session/module.ts'
import { settingModule } from './setting/module.ts'
import { tagModule } from './tag/module.ts'
import { templateModule } from './template/module.ts'
import { ticketModule } from './ticket/module.ts'
import { trafficModule } from './traffic/module.ts'
import { uploadModule } from './upload/module.ts'
import { userModule } from './user/module.ts'
import { versionModule } from './version/module.ts'
import { whatsappModule } from './whatsapp/module.ts'

/** All feature modules, in the order of /docs. */
const allModules: FeatureModule[] = [
  ...[sessionModule, versionModule, installationModule, securityModule, auditModule, settingModule, mailModule],
  ...[
    ticketModule,
    botModule,
    noteModule,
    historyModule,
    messageModule,
    messageSearchModule,
    templateModule,
    interactiveModule,
    kanbanModule,
    dashboardModule,
    panelModule,
  ],
  ...[
    contactModule,
    contactImportModule,
    dataRequestModule,
    tagModule,
    quickReplyModule,
    fileListModule,
    uploadModule,
    queueModule,
    chatbotModule,
    userModule,
    companyModule,
    checklistModule,
  ],
  ...[reportModule, reportFilterModule],
  ...[connectionModule, trafficModule, metaModule, workModule, parkedModule, sandboxModule, whatsappModule],
]
/** The modules that this config enables. */
export const modulesFor = (config: Config): FeatureModule[] => allModules.filter(({ isEnabled: given }) => given?.(config) ?? true)

/* All categories regardless of the config, because the store may contain streams of features that are disabled now. */
export const streamKinds: StreamCategory[] = allModules.flatMap(({ streamCategories: streams = [] }) => streams)
export const streamPrefixes = streamKinds.map(prefixOf)
export const projectors: Projector<any>[] = allModules.flatMap(({ readModels = [] }) => readModels)
/** All processors with the name of their checkpoint and their stream category. */
export const followers: { name: string; of: StreamCategory }[] = [...projectors, ...allModules.flatMap(({ reactors = [] }) => reactors)]
