import type { Kysely } from 'kysely'
import { refuse } from '#domain/errors.ts'
import { queue, type queues } from '#domain/queue/contract.ts'
import type { Database } from '#projections/database.ts'
import { crud } from '../http/crud.ts'
import type { Handlers } from '../http/serve.ts'
import { type Deps, retire } from './retire.ts'

/** R-QUEUE-02: the unique index on the colour says so; that on the name is everyone's business. */
const oneColour = async <T>(act: Promise<T>): Promise<T> => {
  try {
    return await act
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'queue_color') refuse('ERR_QUEUE_COLOR_ALREADY_EXISTS')
    throw error
  }
}

const columns = ['id', 'companyId', 'name', 'color', 'greetingMessage', 'orderQueue', 'version'] as const
/** Those that are not retired. */
export const queuesIn = (db: Kysely<Database>, companyId: number) =>
  db.selectFrom('queue').select(columns).where('companyId', '=', companyId).where('retiredAt', 'is', null)

export const queueRoutes = (deps: Deps): Handlers<typeof queues> => {
  const { db } = deps
  const plain = crud(db, queue)
  const one = async ({ companyId }: { companyId: number }, id: number) =>
    (await queuesIn(db, companyId).where('id', '=', id).executeTakeFirst()) ?? refuse('ERR_NO_QUEUE_FOUND')
  return {
    list: ({ viewer }) => queuesIn(db, viewer.companyId).orderBy('orderQueue').orderBy('id').execute(),
    find: ({ viewer, params }) => one(viewer, params.id),
    create: ({ body, ...ask }) => oneColour(plain.create({ ...ask, body: { ...body, name: body.name.trim() } })),
    async update({ body, ...ask }) {
      await one(ask.viewer, ask.params.id)
      return oneColour(plain.update({ ...ask, body: { ...body, ...(body.name !== undefined && { name: body.name.trim() }) } }))
    },
    remove: ({ params, query, ...act }) => retire(deps, act, params.id, query.moveTo ?? null),
  }
}
