import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { ChatbotTree, chatbots, Option } from '#domain/chatbot/contract.ts'
import { refuse } from '#domain/errors.ts'
import { queue } from '#domain/queue/contract.ts'
import type { Database } from '#projections/database.ts'
import { recordChange } from '../audit/record.ts'
import { storeCommandId } from '../http/idempotency.ts'
import type { Command, Handlers } from '../http/serve.ts'
import { flat, outline, replaceTree, treeOf } from './tree.ts'

type Act = { viewer: Viewer; command: Command }

export const chatbotRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof chatbots> => {
  const find = async (viewer: Viewer, id: number) => {
    const queueId = await queueOf(db, viewer, id)
    return flat(await treeOf(db, { companyId: viewer.companyId, queueId })).find((option) => option.id === id)!
  }
  return {
    find: ({ viewer, params }) => find(viewer, params.id),
    async create({ body: { queueId, chatBotId, position, ...fields }, ...act }) {
      const known = new Set<number>()
      const made = await changed(
        db,
        act,
        queueId,
        (tree) => {
          for (const { id } of flat(tree)) known.add(id)
          return placed(tree, { ...fields, chatbots: [] }, chatBotId, position)
        },
        (after) => flat(after).find(({ id }) => !known.has(id))!.id,
      )
      return made!
    },
    async update({ params: { id }, body: { chatBotId, position, ...fields }, ...act }) {
      const queueId = await queueOf(db, act.viewer, id)
      const row = await changed(
        db,
        act,
        queueId,
        (tree) => {
          const one = flat(tree).find((option) => option.id === id) ?? refuse('ERR_NO_CHATBOT_FOUND')
          const next: Option = { ...one, ...fields }
          if (chatBotId === undefined && position === undefined) return replaced(tree, next)
          const parent = chatBotId === undefined ? one.chatBotId : chatBotId
          if (parent !== null && flat([one]).some((option) => option.id === parent)) refuse('ERR_OPTION_LOOP', { field: 'chatBotId' })
          return placed(without(tree, id), next, parent, position)
        },
        () => id,
      )
      return row!
    },
    async remove({ params: { id }, ...act }) {
      const queueId = await queueOf(db, act.viewer, id)
      await changed(
        db,
        act,
        queueId,
        (tree) => without(tree, id),
        () => id,
      )
    },
  }
}

async function queueOf(on: Kysely<Database>, { companyId }: Viewer, id: number): Promise<number> {
  const row = on
    .selectFrom('menuOption')
    .innerJoin('queue', 'queue.id', 'menuOption.queueId')
    .select('menuOption.queueId')
    .where('menuOption.id', '=', id)
    .where('menuOption.companyId', '=', companyId)
    .where('queue.retiredAt', 'is', null)
  return (await row.executeTakeFirst())?.queueId ?? refuse('ERR_NO_CHATBOT_FOUND')
}
/** Changes the whole tree of a queue. Returns one option, or null if it was removed. */
async function changed(
  db: Kysely<Database>,
  act: Act,
  queueId: number,
  change: (tree: ChatbotTree[]) => Option[],
  which: (after: ChatbotTree[]) => number,
): Promise<ChatbotTree | null> {
  const { companyId } = act.viewer
  let after: ChatbotTree[] = []
  const { id } = await db.transaction().execute(async (on) => {
    const sameQueue = on.selectFrom('queue').select('id').where('id', '=', queueId).where('companyId', '=', companyId)
    if (!(await sameQueue.where('retiredAt', 'is', null).forUpdate().executeTakeFirst())) refuse('ERR_NO_QUEUE_FOUND')
    const before = await treeOf(on, { companyId, queueId })
    await replaceTree(on, { companyId, queueId }, change(structuredClone(before)))
    after = await treeOf(on, { companyId, queueId })
    await on.updateTable('queue').set({ version: sql`version + 1` }).where('id', '=', queueId).execute()
    await recordChange(on, queue, act.viewer, { before: outlined(queueId, before), after: outlined(queueId, after) })
    const id = which(after)
    await storeCommandId(on, act.viewer, act.command, id)
    return { id }
  })
  return flat(after).find((option) => option.id === id) ?? null
}

/** A change of an option is recorded as a change of its queue. */
const outlined = (id: number, tree: ChatbotTree[]) => ({ id, chatbots: outline(tree) })
const without = (tree: Option[], id: number): Option[] =>
  tree.filter((option) => option.id !== id).map((option) => ({ ...option, chatbots: without(option.chatbots, id) }))
const replaced = (tree: Option[], next: Option): Option[] =>
  tree.map((option) => (option.id === next.id ? next : { ...option, chatbots: replaced(option.chatbots, next) }))
/** Inserts below the parent or at the top level; last if no position is given. */
function placed(tree: Option[], option: Option, parent: number | null, position = Number.POSITIVE_INFINITY): Option[] {
  if (parent === null) return tree.toSpliced(position, 0, option)
  if (!flat(tree).some(({ id }) => id === parent)) refuse('ERR_NO_CHATBOT_FOUND', { field: 'chatBotId' })
  const into = (level: Option[]): Option[] =>
    level.map((one) => ({ ...one, chatbots: one.id === parent ? one.chatbots.toSpliced(position, 0, option) : into(one.chatbots) }))
  return into(tree)
}
