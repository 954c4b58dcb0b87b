import { prefixOf, type StreamCategory } from '#domain/stream.ts'
import type { Projector } from '#projections/projector.ts'
import { auditArea } from './audit/module.ts'
import { botArea } from './bots/module.ts'
import { workArea } from './bulk-operation/module.ts'
import { chatbotArea } from './chatbot/module.ts'
import { checklistArea } from './checklist/module.ts'
import { companyArea } from './company/module.ts'
import type { Config } from './config.ts'
import { connectionArea } from './connection/module.ts'
import { contactArea } from './contact/module.ts'
import { fileListArea } from './file-list/module.ts'
import { historyArea } from './history/module.ts'
import { interactiveArea } from './interactive/module.ts'
import { kanbanArea } from './kanban/module.ts'
import { mailArea } from './mail/module.ts'
import { messageArea } from './message/module.ts'
import { metaArea } from './meta/module.ts'
import type { FeatureModule } from './module.ts'
import { noteArea } from './note/module.ts'
import { parkedArea } from './parked/module.ts'
import { queueArea } from './queue/module.ts'
import { quickReplyArea } from './quick-reply/module.ts'
import { sandboxArea } from './sandbox/module.ts'
import { securityArea } from './security/module.ts'
import { sessionArea } from './session/module.ts'
import { settingArea } from './setting/module.ts'
import { tagArea } from './tag/module.ts'
import { templateArea } from './template/module.ts'
import { ticketArea } from './ticket/module.ts'
import { trafficArea } from './traffic/module.ts'
import { userArea } from './user/module.ts'
import { versionArea } from './version/module.ts'
import { whatsappArea } from './whatsapp/module.ts'

/** All feature modules, in the order of /docs. */
const allModules: FeatureModule[] = [
  ...[sessionArea, versionArea, securityArea, auditArea, settingArea, mailArea],
  ...[ticketArea, botArea, noteArea, historyArea, messageArea, templateArea, interactiveArea, kanbanArea],
  ...[contactArea, tagArea, quickReplyArea, fileListArea, queueArea, chatbotArea, userArea, companyArea, checklistArea],
  ...[connectionArea, trafficArea, metaArea, workArea, parkedArea, sandboxArea, whatsappArea],
]
/** The modules that this config enables. */
export const modulesFor = (config: Config): FeatureModule[] => allModules.filter(({ isEnabled: given }) => given?.(config) ?? true)

/* All categories regardless of the config, because the store may contain streams of features that are disabled now. */
export const streamKinds: StreamCategory[] = allModules.flatMap(({ streamCategories: streams = [] }) => streams)
export const streamPrefixes = streamKinds.map(prefixOf)
export const projectors: Projector<any>[] = allModules.flatMap(({ readModels = [] }) => readModels)
/** All processors with the name of their checkpoint and their stream category. */
export const followers: { name: string; of: StreamCategory }[] = [...projectors, ...allModules.flatMap(({ reactors = [] }) => reactors)]
