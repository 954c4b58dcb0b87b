import { prefixOf, type StreamKind } from '#domain/stream.ts'
import type { Projector } from '#projections/projector.ts'
import type { Area } from './area.ts'
import { auditArea } from './audit/area.ts'
import { botArea } from './bots/area.ts'
import { chatbotArea } from './chatbot/area.ts'
import { checklistArea } from './checklist/area.ts'
import { companyArea } from './company/area.ts'
import { connectionArea } from './connection/area.ts'
import { contactArea } from './contact/area.ts'
import { fileListArea } from './file-list/area.ts'
import { historyArea } from './history/area.ts'
import { interactiveArea } from './interactive/area.ts'
import { kanbanArea } from './kanban/area.ts'
import { mailArea } from './mail/area.ts'
import { messageArea } from './message/area.ts'
import { metaArea } from './meta/area.ts'
import { noteArea } from './note/area.ts'
import { parkedArea } from './parked/area.ts'
import { queueArea } from './queue/area.ts'
import { quickReplyArea } from './quick-reply/area.ts'
import { sandboxArea } from './sandbox/area.ts'
import { securityArea } from './security/area.ts'
import { sessionArea } from './session/area.ts'
import { settingArea } from './setting/area.ts'
import type { Settings } from './settings.ts'
import { tagArea } from './tag/area.ts'
import { templateArea } from './template/area.ts'
import { ticketArea } from './ticket/area.ts'
import { trafficArea } from './traffic/area.ts'
import { userArea } from './user/area.ts'
import { versionArea } from './version/area.ts'
import { whatsappArea } from './whatsapp/area.ts'
import { workArea } from './work/area.ts'

/** Every area once, in the order of /docs. */
const areas: Area[] = [
  ...[sessionArea, versionArea, securityArea, auditArea, settingArea, mailArea],
  ...[ticketArea, botArea, noteArea, historyArea, messageArea, templateArea, interactiveArea, kanbanArea],
  ...[contactArea, tagArea, quickReplyArea, fileListArea, queueArea, chatbotArea, userArea, companyArea, checklistArea],
  ...[connectionArea, trafficArea, metaArea, workArea, parkedArea, sandboxArea, whatsappArea],
]
/** Those that a house of these settings has. */
export const areasOf = (settings: Settings): Area[] => areas.filter(({ given }) => given?.(settings) ?? true)

/* Whatever the settings say, for a store may have been written under others. */
export const streamKinds: StreamKind[] = areas.flatMap(({ streams = [] }) => streams)
export const streamPrefixes = streamKinds.map(prefixOf)
export const projectors: Projector<any>[] = areas.flatMap(({ readModels = [] }) => readModels)
/** Whoever follows a kind of stream, under the name of its checkpoint. */
export const followers: { name: string; of: StreamKind }[] = [...projectors, ...areas.flatMap(({ reactors = [] }) => reactors)]
