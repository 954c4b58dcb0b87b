import type { Kysely } from 'kysely'
import { isUnlinked } from '#domain/connection/rules.ts'
import type { Database } from '#projections/database.ts'
import type { LeasedConnection } from '../channels/channel.ts'
import { serializePairing } from '../connection/pairing.ts'
import type { Linkable, State } from '../connection/state.ts'
import type { AppContext } from '../context.ts'

const showCode: State = { status: 'qrcode', qrcode: '' }

/** A linked number reconnects. An unlinked one shows a code, which the socket provides. */
export const whatsappSessions = {
  begin: (one: Linkable): State => (isUnlinked(one) ? showCode : { status: 'OPENING', qrcode: '' }),
  renew: () => showCode,
  type: (_: unknown, number: string): State => ({ status: 'qrcode', qrcode: serializePairing({ number, code: null, until: null }) }),
  end: { status: 'DISCONNECTED', qrcode: '' } as State,
  /** The credentials are deleted once the device is removed from the phone's account. */
  parted: async (db: Kysely<Database>, id: number): Promise<boolean> =>
    !(await db.selectFrom('waAccount').select('id').where('connectionId', '=', id).where('creds', 'is not', null).executeTakeFirst()),
  /** The client is loaded only when it is needed, because it is large. */
  keepConnected: async (leased: LeasedConnection, ctx: AppContext, signal: AbortSignal): Promise<void> =>
    (await import('./connected.ts')).keepConnected(leased, ctx, signal),
}
