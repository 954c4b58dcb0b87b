import * as Type from 'typebox'
import { metaProducts } from '#domain/channel/channels.ts'
import { Moment, Nullable } from '#domain/contract.ts'

/** A pasted value; surrounding spaces are ignored. */
const pasted = (max: number) => Type.String({ maxLength: max, pattern: '^\\s*\\S*\\s*$' })
/** The account of a Cloud API number at Meta (A-CONN-03). The token and the secrets are stored and never answered. */
export const CloudAccount = Type.Object({
  phoneNumberId: Type.String({ pattern: '^\\s*[0-9]{1,30}\\s*$' }),
  businessId: Type.String({ pattern: '^\\s*[0-9]{1,30}\\s*$' }),
  accessToken: pasted(1000),
  appSecret: pasted(200),
  verifyToken: pasted(200),
})
const { phoneNumberId, businessId, accessToken, appSecret, verifyToken } = CloudAccount.properties
/** A change of the account. Written out, because the library's `Partial` adds 11 kB to the client. */
export const CloudChange = Type.Object({
  phoneNumberId: Type.Optional(phoneNumberId),
  businessId: Type.Optional(businessId),
  accessToken: Type.Optional(accessToken),
  appSecret: Type.Optional(appSecret),
  verifyToken: Type.Optional(verifyToken),
})
/** The account as answered. `hook`: the end of the webhook URL; `tokenExpiresAt`: null: never. */
export const ShownAccount = Type.Object({
  product: Type.Enum(metaProducts),
  accountId: Type.String(),
  businessId: Nullable(Type.String()),
  hook: Type.String(),
  tokenExpiresAt: Nullable(Moment),
})
