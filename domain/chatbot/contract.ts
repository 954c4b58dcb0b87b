import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin } from '#domain/access.ts'
import { changeOf, del, get, Id, Name, Nullable, post, put, Text } from '#domain/contract.ts'

export const optionTypes = ['text', 'attendent', 'queue', 'integration', 'file'] as const
export type OptionType = (typeof optionTypes)[number]

/** Limits of a queue's option tree: its levels, and its options in total. */
export const mostLevels = 8
export const mostOptions = 200
export const longestText = 5000

/** The fields of an option of a queue's bot; published as chatbot. */
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

/** A stored option. `chatBotId`: its parent option; `position`: its place among its siblings. */
export const Chatbot = Type.Object({
  id: Id,
  companyId: Id,
  queueId: Id,
  chatBotId: Nullable(Id),
  position: Type.Integer({ minimum: 0 }),
  ...optionFields,
})
export type Chatbot = Static<typeof Chatbot>

/** An option with its suboptions. An option without an id is new. */
export type Option = OptionFields & { id?: number; chatbots: Option[] }
/** A stored option with its suboptions. */
export type ChatbotTree = Chatbot & { chatbots: ChatbotTree[] }

/* One level deeper than allowed, so that a tree that is too deep gets its own error. Finite, so /docs can describe all of it. */
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
/** Has no default, so that a change without options keeps them. */
export const Options = Type.Unsafe<Option[]>(whole)

const keptLevel = (deep: number): object => ({
  ...Chatbot,
  properties: { ...Chatbot.properties, chatbots: { type: 'array', items: deep > 0 ? keptLevel(deep - 1) : {} } },
})
export const ChatbotTrees = Type.Unsafe<ChatbotTree[]>({ type: 'array', items: keptLevel(mostLevels) })
const Answer = Type.Unsafe<ChatbotTree>(keptLevel(mostLevels))

const Place = Type.Integer({ minimum: 0, maximum: mostOptions })
const Placed = { queueId: Id, chatBotId: Nullable(Id), position: Type.Optional(Place) }
const errors = [
  ...['ERR_OPTION_OWN_QUEUE' as const, 'ERR_OPTION_TWICE' as const, 'ERR_OPTIONS_TOO_MANY' as const, 'ERR_OPTION_LOOP' as const],
  'ERR_NO_PERMISSION/queue' as const,
]
export const chatbots = {
  find: get('/chatbot/:id', { may: admin, summary: 'Shows an option of a queue’s bot with its suboptions.', answer: Answer }),
  create: post('/chatbot', {
    may: admin,
    summary:
      'Creates an option of a queue’s bot, below the option `chatBotId` if given; without a position it becomes the last of its level.',
    body: Type.Object({ ...optionFields, ...Placed }, { additionalProperties: false }),
    answer: Answer,
    idempotent: true,
    errors,
  }),
  update: put('/chatbot/:id', {
    may: admin,
    summary: 'Changes an option, or moves it with its suboptions within the tree of its queue; omitted fields stay.',
    body: changeOf({ ...optionFields, chatBotId: Nullable(Id), position: Place }),
    answer: Answer,
    idempotent: true,
    errors,
  }),
  remove: del('/chatbot/:id', { may: admin, summary: 'Deletes an option with its suboptions.', idempotent: true }),
}
