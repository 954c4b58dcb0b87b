import { type ChatbotTree, type Option, optionFields } from '#domain/chatbot/contract.ts'

export const blankOption = (): Option => ({
  ...{ name: '', greetingMessage: null, queueType: 'text', closeTicket: false, chatbots: [] },
  ...{ optQueueId: null, optUserId: null, optIntegrationId: null, optFileId: null },
})
/** What of a kept option its form holds. */
export const bare = (tree: ChatbotTree[]): Option[] =>
  tree.map((row) => ({
    ...(Object.fromEntries(Object.keys(optionFields).map((name) => [name, row[name as keyof ChatbotTree]])) as unknown as Option),
    ...{ id: row.id, chatbots: bare(row.chatbots) },
  }))

export type Leads = { queues: { id: number; name: string }[]; users: { id: number; name: string }[]; files: { id: number; name: string }[] }
