import type { outages } from '#domain/connection/rules.ts'
import { type Line, Refused } from '../channels/channel.ts'
import { type Sessions, type State, stands } from '../connection/stands.ts'
import type { House } from '../house.ts'
import { asAccount } from './calling.ts'

const firstPauseMs = 1000
const mostPauseMs = 60_000
const opening: State = { status: 'OPENING', qrcode: '' }

/** What a code of a channel’s is as the reason why a connection is away. */
const reasons: Record<string, keyof typeof outages> = { ERR_CHANNEL_TOKEN: 'TOKEN_EXPIRED', ERR_CHANNEL_FORBIDDEN: 'FORBIDDEN' }

/** There is no socket and no code: a session stands where the token is still good. */
export const metaSessions: Sessions = {
  begin: () => opening,
  renew: () => opening,
  end: { status: 'DISCONNECTED', qrcode: '' },
  async hold(line, house, signal) {
    let pauseMs = firstPauseMs
    while (!signal.aborted) {
      const away = unproven(line) && (await prove(line, house))
      if (signal.aborted) return
      await line.session.rung(away ? pauseMs : undefined)
      pauseMs = away ? Math.min(2 * pauseMs, mostPauseMs) : firstPauseMs
    }
  },
}

/** Somebody wants it to stand, and Meta has not said yet whether it does. */
const unproven = ({ now: { status, reason } }: Line): boolean => status === 'OPENING' || (status === 'DISCONNECTED' && reason === 'AWAY')

/** Answers whether Meta could not be asked. */
async function prove(line: Line, house: House): Promise<boolean> {
  const { id, ...before } = line.now
  const reason = await asAccount(house, id, ({ accountId, token, appSecret }) =>
    house.graph.call('GET', accountId, { token, appSecret }, { query: { fields: 'id' } }),
  ).then(
    () => null,
    (error: Error & { code?: string }) => reasons[error.code ?? ''] ?? (error instanceof Refused ? 'FORBIDDEN' : 'AWAY'),
  )
  if (!unproven(line)) return false // ended meanwhile, or by somebody before we notice
  await stands(house, { id }, reason === null ? { status: 'CONNECTED' } : { status: 'DISCONNECTED', reason }, before)
  return reason === 'AWAY'
}
