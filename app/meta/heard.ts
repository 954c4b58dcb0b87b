import type { Connection } from '../channels/channel.ts'
import { TransientChannelError } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import type { Account } from './accounts.ts'
import { type HeardEntry, heardByCloud } from './cloud-heard.ts'
import type { Json } from './json.ts'
import { heardByMessenger } from './messenger-heard.ts'

type Deps = Pick<AppContext, 'db' | 'clock' | 'meta' | 'messageIds' | 'waitForProjection' | 'readHeadPosition'>

/** What is told of an account, in the words of any channel. */
export const heardBy = async (event: Json, account: Account, deps: Deps): Promise<HeardEntry[]> =>
  account.product === 'whatsapp'
    ? deps.messageIds.hideIn(deps.db, account, heardByCloud(event, deps.clock.iso()))
    : heardByMessenger(event, account, deps)

/** What was set aside as it came is read anew, by who may know more by then. */
export const understanding =
  (deps: Deps) =>
  async ({ id }: Pick<Connection, 'id'>, part: object): Promise<HeardEntry[]> => {
    const account = await deps.meta.of(deps.db, id)
    if (!account) throw new TransientChannelError('ERR_WAPP_NOT_INITIALIZED')
    return heardBy(part as Json, account, deps)
  }
