import type { Static } from 'typebox'
import * as Type from 'typebox'
import { Id, Name, Nullable, Text } from '#domain/contract.ts'

export const optionTypes = ['text', 'attendent', 'queue', 'integration', 'file'] as const
export type OptionType = (typeof optionTypes)[number]

/** What an option of a queue’s bot is and does; published as chatbot. */
export const optionFields = {
  name: Name(100, 4), // R-QUEUE-04
  greetingMessage: Nullable(Text(5000)),
  queueType: Type.Enum([...optionTypes], { default: 'text' }),
  closeTicket: Type.Boolean({ default: false }),
  optQueueId: Nullable(Id),
  optUserId: Nullable(Id),
  optIntegrationId: Nullable(Id),
  optFileId: Nullable(Id),
}

/** One as it is kept. `chatBotId`: the option that it stands below; `position`: its place among those beside it. */
export const Chatbot = Type.Object({
  id: Id,
  companyId: Id,
  queueId: Id,
  chatBotId: Nullable(Id),
  position: Type.Integer({ minimum: 0 }),
  ...optionFields,
})
export type Chatbot = Static<typeof Chatbot>
