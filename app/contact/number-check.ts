import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { channelNames, channels } from '#domain/channel/channels.ts'
import { refuse } from '#domain/errors.ts'
import { driverOf } from '../channels/providers.ts'
import { openQuestions } from '../channels/worker-rpc.ts'
import type { AppContext } from '../context.ts'
import { createRateLimiter } from '../http/rate-limiter.ts'
import type { HttpExchange } from '../http/serve.ts'

/** WhatsApp blocks a number that looks up many others. */
const lookups = createRateLimiter({ burst: 30, everyMs: 3000 })
/** Apart, because a person's question must not be refused after many new contacts. */
const lookupsOfNewContacts = createRateLimiter({ burst: 10, everyMs: 6000 })
/** How often a waiting row of an import looks whether it may ask. */
const turnMs = 1000
const checkingChannels = channelNames.filter((name) => channels[name].checksNumbers)
const isLeased = sql<boolean>`exists (
  select from connection_lease l join worker w on w.id = l.holder where l.connection_id = connection.id and w.until > now())`

/** Asks a connected connection of the company whether a number is on its network. */
export function createNumberCheck({ db, notifications, config }: Pick<AppContext, 'db' | 'notifications' | 'config'>) {
  const questions = openQuestions({ db, notifications })

  async function connectionsToAsk(companyId: number) {
    const rows = await db
      .selectFrom('connection')
      .select(['id', 'provider', isLeased.as('isLeased')])
      .where('companyId', '=', companyId)
      .where('channel', 'in', checkingChannels)
      .where('status', '=', 'CONNECTED')
      .orderBy('isDefault', 'desc')
      .orderBy('id')
      .execute()
    return rows.filter(({ provider }) => driverOf(provider, config))
  }
  /** Null: the network does not answer that. */
  async function ask(connectionId: number, number: string): Promise<boolean | null> {
    const exists = await questions.isThere(connectionId, number)
    return exists === undefined ? refuse('ERR_WAPP_CHECK_CONTACT') : exists
  }

  const askable = async (companyId: number) => (await connectionsToAsk(companyId)).find((one) => one.isLeased)
  async function refuseIfUnknown(connectionId: number, number: string): Promise<void> {
    if ((await questions.isThere(connectionId, number)) === false) refuse('ERR_WAPP_INVALID_CONTACT')
  }

  return {
    /** Refuses if no connection is connected, or if the company asks too often. */
    async isOnNetwork(companyId: number, number: string, wire: HttpExchange): Promise<boolean | null> {
      lookups.consumeOrRefuse(companyId, wire)
      const [first] = await connectionsToAsk(companyId)
      return ask((first ?? refuse('ERR_WAPP_NOT_INITIALIZED')).id, number)
    },
    /** Refuses a number that the network does not know. Without an answer now, the number counts as known. */
    async refuseUnknown(companyId: number, number: string): Promise<void> {
      const connection = await askable(companyId)
      if (connection && lookupsOfNewContacts.tryConsume(companyId)) await refuseIfUnknown(connection.id, number)
    },
    /** As `refuseUnknown`, for one of many numbers: waits until it may ask. */
    async refuseUnknownInTurn(companyId: number, number: string): Promise<void> {
      for (;;) {
        const connection = await askable(companyId)
        if (!connection) return
        if (lookupsOfNewContacts.tryConsume(companyId)) return refuseIfUnknown(connection.id, number)
        await sleep(turnMs)
      }
    },
  }
}
