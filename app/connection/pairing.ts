import type { Connection } from '#domain/connection/contract.ts'

export type Pairing = NonNullable<Connection['pairing']>

/** Format of `qrcode` in a row: a QR code is stored as it is, a pairing code as JSON with its phone number. */
export const serializePairing = (pairing: Pairing): string => JSON.stringify(pairing)
export const pairingIn = (code: string): Pairing | null => (code.startsWith('{') ? JSON.parse(code) : null)
