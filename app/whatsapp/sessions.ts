import type { Kysely } from 'kysely'
import { isUnlinked } from '#domain/connection/rules.ts'
import type { Database } from '#projections/database.ts'
import type { LeasedConnection } from '../channels/channel.ts'
import { written } from '../connection/pairing.ts'
import type { Linkable, State } from '../connection/state.ts'
import type { AppContext } from '../context.ts'

const toRead: State = { status: 'qrcode', qrcode: '' }

/** A number that is linked is taken up again; one that is not shows a code, which comes with the socket. */
export const whatsappSessions = {
  begin: (one: Linkable): State => (isUnlinked(one) ? toRead : { status: 'OPENING', qrcode: '' }),
  renew: () => toRead,
  type: (_: unknown, number: string): State => ({ status: 'qrcode', qrcode: written({ number, code: null, until: null }) }),
  end: { status: 'DISCONNECTED', qrcode: '' } as State,
  /** The keys go once the device has left the phone’s account. */
  parted: async (db: Kysely<Database>, id: number): Promise<boolean> =>
    !(await db.selectFrom('waAccount').select('id').where('connectionId', '=', id).where('creds', 'is not', null).executeTakeFirst()),
  /** Loaded only where a number is linked: the client is large. */
  keepConnected: async (line: LeasedConnection, ctx: AppContext, signal: AbortSignal): Promise<void> =>
    (await import('./connected.ts')).keepConnected(line, ctx, signal),
}
