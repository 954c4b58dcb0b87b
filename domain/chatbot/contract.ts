import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin } from '#domain/access.ts'
import { changeOf, del, get, Id, Name, Nullable, post, put, Text } from '#domain/contract.ts'

export const optionTypes = ['text', 'attendent', 'queue', 'integration', 'file'] as const
export type OptionType = (typeof optionTypes)[number]

/** So many levels, and so many options in all, has the tree of a queue at the most. */
export const mostLevels = 8
export const mostOptions = 200
export const longestText = 5000

/** What an option of a queue’s bot is and does; published as chatbot. */
export const optionFields = {
  name: Name(100, 4), // R-QUEUE-04
  greetingMessage: Nullable(Text(longestText)),
  queueType: Type.Enum([...optionTypes], { default: 'text' }),
  closeTicket: Type.Boolean({ default: false }),
  optQueueId: Nullable(Id),
  optUserId: Nullable(Id),
  optIntegrationId: Nullable(Id),
  optFileId: Nullable(Id),
}
const Fields = Type.Object(optionFields, { additionalProperties: false })
export type OptionFields = Static<typeof Fields>

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

/** An option with those below it. Without an id it is new. */
export type Option = OptionFields & { id?: number; chatbots: Option[] }
/** The same as it is kept. */
export type ChatbotTree = Chatbot & { chatbots: ChatbotTree[] }

/* A level deeper than any tree may be, so that what is too deep is refused by its own name. Recursion that ends: described whole in /docs. */
const level = (deep: number): object => ({
  ...Type.Object({ id: Type.Optional(Id), ...optionFields }, { additionalProperties: false }),
  properties: { id: Id, ...optionFields, chatbots: below(deep) },
})
const below = (deep: number): object => ({
  type: 'array',
  maxItems: mostOptions,
  default: [],
  ...(deep > 0 ? { items: level(deep - 1) } : { maxItems: 0, items: {} }),
})
const { default: _, ...whole } = below(mostLevels + 1) as { default: [] }
/** Without a default: a change that does not speak of the options leaves them. */
export const Options = Type.Unsafe<Option[]>(whole)

const keptLevel = (deep: number): object => ({
  ...Chatbot,
  properties: { ...Chatbot.properties, chatbots: { type: 'array', items: deep > 0 ? keptLevel(deep - 1) : {} } },
})
export const ChatbotTrees = Type.Unsafe<ChatbotTree[]>({ type: 'array', items: keptLevel(mostLevels) })
const Answer = Type.Unsafe<ChatbotTree>(keptLevel(mostLevels))

const Place = Type.Integer({ minimum: 0, maximum: mostOptions })
const Placed = { queueId: Id, chatBotId: Nullable(Id), position: Type.Optional(Place) }
const refuses = [
  ...['ERR_OPTION_OWN_QUEUE' as const, 'ERR_OPTION_TWICE' as const, 'ERR_OPTIONS_TOO_MANY' as const, 'ERR_OPTION_LOOP' as const],
  'ERR_NO_PERMISSION/queue' as const,
]
export const chatbots = {
  find: get('/chatbot/:id', { may: admin, says: 'An option of a queue’s bot, with those below it.', answer: Answer }),
  create: post('/chatbot', {
    may: admin,
    says: 'Makes an option of a queue’s bot, below another one where `chatBotId` names it; the last of its level where no position is given.',
    body: Type.Object({ ...optionFields, ...Placed }, { additionalProperties: false }),
    answer: Answer,
    once: true,
    refuses,
  }),
  update: put('/chatbot/:id', {
    may: admin,
    says: 'Changes an option, or puts it elsewhere in the tree of its queue, with those below it; what is not given stays.',
    body: changeOf({ ...optionFields, chatBotId: Nullable(Id), position: Place }),
    answer: Answer,
    once: true,
    refuses,
  }),
  remove: del('/chatbot/:id', { may: admin, says: 'Takes an option out, with those below it.', once: true }),
}
