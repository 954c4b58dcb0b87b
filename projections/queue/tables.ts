import type { Generated, JSONColumnType } from 'kysely'
import type { Chatbot } from '#domain/chatbot/contract.ts'
import type { Schedules } from '#domain/hours/contract.ts'

export type QueueTable = {
  id: Generated<number>
  companyId: number
  version: Generated<number>
  name: string
  color: string
  greetingMessage: string | null
  orderQueue: number | null
  outOfHoursMessage: string | null
  schedules: JSONColumnType<Schedules, string | undefined, string>
  tempoRoteador: Generated<number>
  ativarRoteador: Generated<boolean>
  integrationId: number | null
  fileListId: number | null
  closeTicket: Generated<boolean>
  retiredAt: Generated<string | null>
}
export type ChatbotTable = Omit<Chatbot, 'id'> & { id: Generated<number> }
