import type { outages } from '#domain/connection/rules.ts'
import type { Line } from '../channels/channel.ts'
import { type Sessions, type State, stands } from '../connection/stands.ts'
import type { House } from '../house.ts'
import { asAccount } from './calling.ts'

const opening: State = { status: 'OPENING', qrcode: '' }

/** What a code of a channel’s is as the reason why a connection is away. */
const reasons: Record<string, keyof typeof outages> = { ERR_CHANNEL_TOKEN: 'TOKEN_EXPIRED', ERR_CHANNEL_FORBIDDEN: 'FORBIDDEN' }

/** There is no socket and no code: a session stands where the token is still good. */
export const metaSessions: Sessions = {
  begin: () => opening,
  renew: () => opening,
  end: { status: 'DISCONNECTED', qrcode: '' },
  async hold(line, house, signal) {
    while (!signal.aborted) {
      if (line.now.status === 'OPENING') await prove(line, house)
      if (!signal.aborted) await line.session.rung()
    }
  },
}

async function prove({ now: { id } }: Line, house: House): Promise<void> {
  const reason = await asAccount(house, id, ({ accountId, token, appSecret }) =>
    house.graph.call('GET', accountId, { token, appSecret }, { query: { fields: 'id' } }),
  ).then(
    () => null,
    (error: Error & { code?: string }) => reasons[error.code ?? ''] ?? 'AWAY',
  )
  await stands(house, { id }, reason === null ? { status: 'CONNECTED' } : { status: 'DISCONNECTED', reason })
}
