import type { Static } from 'typebox'
import * as Type from 'typebox'
import { signedIn } from '#domain/access.ts'
import { get, Id, Moment, Nullable, topic } from '#domain/contract.ts'
import { Channel } from '#domain/ticket/contract.ts'

/** A company's number or page on a channel; published as whatsapp. */
export const ConnectionRow = Type.Object({
  id: Id,
  companyId: Id,
  name: Type.String(),
  channel: Channel,
  provider: Type.String(),
  number: Nullable(Type.String()),
  status: Type.Enum(['qrcode', 'OPENING', 'CONNECTED', 'DISCONNECTED', 'PAIRING', 'TIMEOUT']),
  isDefault: Type.Boolean(),
  allowGroup: Type.Boolean(),
  groupAsTicket: Type.Enum(['enabled', 'disabled']),
  color: Nullable(Type.String()),
  updatedAt: Moment,
})
export type ConnectionRow = Static<typeof ConnectionRow>

export const connections = {
  list: get('/whatsapp', {
    may: signedIn,
    says: 'The company’s numbers and pages.',
    query: Type.Object({ companyId: Type.Optional(Id), session: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })) }),
    answer: Type.Array(ConnectionRow),
  }),
}
export const connectionTopic = topic<ConnectionRow>('whatsapp', 'whatsapp', () => true)
