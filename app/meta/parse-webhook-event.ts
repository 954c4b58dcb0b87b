import type { Connection } from '../channels/channel.ts'
import { TransientChannelError } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import type { Account } from './accounts.ts'
import type { Json } from './json.ts'
import { type InboundEntry, parseCloudChange } from './parse-cloud-change.ts'
import { parseMessengerEvent } from './parse-messenger-event.ts'

type Deps = Pick<AppContext, 'db' | 'caches' | 'clock' | 'meta' | 'messageIds' | 'waitForProjection' | 'readHeadPosition'>

/** Parses a webhook event into inbound events. */
export const parseWebhookEvent = async (event: Json, account: Account, deps: Deps): Promise<InboundEntry[]> =>
  account.product === 'whatsapp'
    ? deps.messageIds.hideIn(deps.db, account, parseCloudChange(event, deps.clock.iso()))
    : parseMessengerEvent(event, account, deps)

/** Parses a payload again that an earlier version could not parse. */
export const createReparser =
  (deps: Deps) =>
  async ({ id }: Pick<Connection, 'id'>, part: object): Promise<InboundEntry[]> => {
    const account = await deps.meta.of(deps.db, id)
    if (!account) throw new TransientChannelError('ERR_WAPP_NOT_INITIALIZED')
    return parseWebhookEvent(part as Json, account, deps)
  }
