import type { Connection } from '#domain/connection/contract.ts'

export type Pairing = NonNullable<Connection['pairing']>

/** What a row says of the code that links a phone: one to be read as it is, one to be typed with the number that it is for. */
export const written = (pairing: Pairing): string => JSON.stringify(pairing)
export const pairingIn = (code: string): Pairing | null => (code.startsWith('{') ? JSON.parse(code) : null)
