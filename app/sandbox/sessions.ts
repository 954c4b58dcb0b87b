import { randomBytes } from 'node:crypto'
import { serializePairing } from '../connection/pairing.ts'
import type { SessionDriver, State } from '../connection/state.ts'

const showCode = (): State => ({ status: 'qrcode', qrcode: `guiche-${randomBytes(24).toString('base64url')}` })
const opening: State = { status: 'OPENING', qrcode: '' }
const fakeCode = () => randomBytes(4).toString('hex').toUpperCase()
/** A number that cannot exist, because Brazilian numbers do not begin with 0. */
const fakeNumber = (id: number) => `5511${String(id).padStart(9, '0')}`

/** Sandbox phones are linked like real ones: the code is scanned once; later the session only starts again. */
export const sandboxSessions: SessionDriver = {
  begin: ({ number }) => (number === null ? showCode() : opening),
  renew: showCode,
  type: (_, number) => ({ status: 'qrcode', qrcode: serializePairing({ number, code: fakeCode(), until: null }) }),
  end: { status: 'DISCONNECTED', qrcode: '' },
  read: ({ id, number }) => ({ ...opening, number: number ?? fakeNumber(id) }),
}
