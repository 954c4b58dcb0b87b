import { minuteMs } from '#domain/duration/rules.ts'
import type { Channel, Checked } from '../channels/channel.ts'
import { senderIdOf } from './accounts.ts'
import { asAccount, type Deps } from './calling.ts'
import { GraphApiError } from './graph.ts'
import { list, object, text } from './json.ts'
import { splitText } from './message-parts.ts'
import { products } from './products.ts'

type Check = NonNullable<Channel['check']>
/** Tolerance between our clock and Meta's. */
const aheadMs = 2 * minuteMs
const looked = 25

/** WhatsApp reports receipts itself within seconds and has no call to check a message. */
export const checkCloudMessage = (): Check => async () => ({ is: 'silent' })

/**
 * Compares with the newest messages of the conversation: same text, sent by us, and not already matched to
 * another message.
 */
export const checkMessengerMessage =
  (deps: Deps): Check =>
  (to, { body, since }) =>
    asAccount<Checked>(deps, to.connectionId, async ({ token, appSecret, ...account }) => {
      const { accountId, product } = account
      const person = to.ids.find(({ kind }) => kind === 'scoped')?.id ?? to.number
      const [first] = splitText(body, product)
      if (!first) return { is: 'unknown' }
      const fields = `messages.limit(${looked}){id,message,from,created_time}`
      const query = { platform: products[product].platform, user_id: person, fields }
      const { data } = await deps.graph.call('GET', `${senderIdOf(account)}/conversations`, { token, appSecret }, { query })
      const [conversation] = list(data)
      const ours = list(object(conversation?.messages).data).filter(
        (one) =>
          text(object(one.from).id) === accountId &&
          text(one.message).trim() === first &&
          Date.parse(text(one.created_time)) > Date.parse(since) - aheadMs,
      )
      const ids = ours.map(({ id }) => text(id))
      const sent = deps.db.selectFrom('outbox').select('providerId').where('connectionId', '=', to.connectionId)
      const known = ids.length === 0 ? [] : await sent.where('providerId', 'in', ids).execute()
      const mine = ids.find((id) => !known.some(({ providerId }) => providerId === id))
      return mine ? { is: 'arrived', providerId: mine } : { is: 'missing' }
    }).catch((error: unknown) => {
      if (error instanceof GraphApiError) return { is: 'unknown' }
      throw error
    })
