import type { Kysely } from 'kysely'
import type { Chatbot, ChatbotTree, Option } from '#domain/chatbot/contract.ts'
import { optionFields } from '#domain/chatbot/contract.ts'
import { type OptionFault, optionFault } from '#domain/chatbot/rules.ts'
import { type Case, refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { servers } from '../queue/servers.ts'

type At = { companyId: number; queueId: number }

/** Loads the options of a queue as a tree. */
export async function treeOf(on: Kysely<Database>, { companyId, queueId }: At): Promise<ChatbotTree[]> {
  const rows = on.selectFrom('menuOption').selectAll().where('companyId', '=', companyId).where('queueId', '=', queueId)
  const below = Map.groupBy((await rows.orderBy('position').orderBy('id').execute()) as Chatbot[], ({ chatBotId }) => chatBotId)
  const level = (parent: number | null): ChatbotTree[] => (below.get(parent) ?? []).map((row) => ({ ...row, chatbots: level(row.id) }))
  return level(null)
}

/** All options of a tree, parents before children. */
export const flat = <O extends { chatbots: O[] }>(tree: O[]): O[] => tree.flatMap((option) => [option, ...flat(option.chatbots)])

/** Replaces the stored tree. Options with an id keep it; missing options are deleted. */
export async function replaceTree(on: Kysely<Database>, at: At, tree: Option[]): Promise<void> {
  refuseFault(optionFault(tree, at.queueId))
  await requireTargets(on, at.companyId, tree)
  const serving = await servers(on, at.companyId, at.queueId)
  refuseFault(optionFault(tree, at.queueId, (userId) => serving.has(userId)))
  const storedOptions = flat(await treeOf(on, at))
  const known = new Set(storedOptions.map(({ id }) => id))
  const kept = flat(tree).flatMap(({ id }) => id ?? [])
  if (kept.some((id) => !known.has(id))) refuse('ERR_NO_CHATBOT_FOUND')
  const gone = [...known].filter((id) => !kept.includes(id))
  await write(on, at, tree, null)
  if (gone.length > 0) await on.deleteFrom('menuOption').where('id', 'in', gone).execute() // after their children have moved to other parents
}

function refuseFault(fault: OptionFault | null): void {
  if (fault) refuse(fault.code, { field: `${fault.at}/${fault.field}`, ...('rule' in fault && { rule: fault.rule }) })
}

async function write(on: Kysely<Database>, at: At, tree: Option[], chatBotId: number | null): Promise<void> {
  for (const [position, option] of tree.entries()) {
    const fields = Object.fromEntries(Object.keys(optionFields).map((name) => [name, option[name as keyof Option]])) as unknown as Option
    const row = { ...fields, name: option.name.trim(), chatBotId, position }
    const { id } =
      option.id === undefined
        ? await on
            .insertInto('menuOption')
            .values({ ...row, ...at })
            .returning('id')
            .executeTakeFirstOrThrow()
        : await on.updateTable('menuOption').set(row).where('id', '=', option.id).returning('id').executeTakeFirstOrThrow()
    await write(on, at, option.chatbots, id)
  }
}

type Leads = { field: 'optQueueId' | 'optUserId' | 'optFileId'; table: 'queue' | 'user' | 'fileList'; missing: Case }
const targets: Leads[] = [
  { field: 'optQueueId', table: 'queue', missing: 'ERR_NO_QUEUE_FOUND' },
  { field: 'optUserId', table: 'user', missing: 'ERR_NO_USER_FOUND' },
  { field: 'optFileId', table: 'fileList', missing: 'ERR_NO_FILE_LIST_FOUND' },
]

/**
 * Checks that the targets exist in the same company and are not retired. Integrations do not exist yet, so
 * none can be named.
 */
async function requireTargets(on: Kysely<Database>, companyId: number, tree: Option[]): Promise<void> {
  const all = flat(tree)
  if (all.some(({ optIntegrationId }) => optIntegrationId !== null)) refuse('ERR_NOT_FOUND', { field: 'optIntegrationId' })
  for (const { field, table, missing } of targets) {
    const wanted = [...new Set(all.flatMap((option) => option[field] ?? []))]
    if (wanted.length === 0) continue
    const mine = (on as Kysely<any>).selectFrom(table).select('id').where('companyId', '=', companyId).where('id', 'in', wanted)
    const storedOptions = table === 'fileList' ? mine : mine.where('retiredAt', 'is', null)
    if ((await storedOptions.forKeyShare().execute()).length < wanted.length) refuse(missing, { field })
  }
}

/** A tree as text for the audit log: one line per option. */
export const outline = (tree: ChatbotTree[], above = ''): string[] =>
  tree.flatMap(({ name, queueType, greetingMessage, chatbots }, n) => {
    const number = `${above}${n + 1}`
    return [`${number} ${name} (${queueType})${greetingMessage ? `: ${greetingMessage}` : ''}`, ...outline(chatbots, `${number}.`)]
  })
