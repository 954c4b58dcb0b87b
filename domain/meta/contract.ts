import * as Type from 'typebox'
import { Moment, Nullable } from '#domain/contract.ts'

/** Something that is pasted: the blanks around it do not count. */
const pasted = (max: number) => Type.String({ maxLength: max, pattern: '^\\s*\\S*\\s*$' })
/** What a WhatsApp number of the Cloud API is at Meta (A-CONN-03). The token and the secrets are taken, and never shown. */
export const CloudAccount = Type.Object({
  phoneNumberId: Type.String({ pattern: '^\\s*[0-9]{1,30}\\s*$' }),
  businessId: Type.String({ pattern: '^\\s*[0-9]{1,30}\\s*$' }),
  accessToken: pasted(1000),
  appSecret: pasted(200),
  verifyToken: pasted(200),
})
const { phoneNumberId, businessId, accessToken, appSecret, verifyToken } = CloudAccount.properties
/** What of it is changed. Each said by itself: the type engine behind `Partial` costs a browser 11 kB. */
export const CloudChange = Type.Object({
  phoneNumberId: Type.Optional(phoneNumberId),
  businessId: Type.Optional(businessId),
  accessToken: Type.Optional(accessToken),
  appSecret: Type.Optional(appSecret),
  verifyToken: Type.Optional(verifyToken),
})
/** The same as it is shown. `hook`: the end of the address that Meta calls; `tokenExpiresAt`: null where it does not. */
export const ShownAccount = Type.Object({
  product: Type.Enum(['whatsapp', 'page', 'instagram']),
  accountId: Type.String(),
  businessId: Nullable(Type.String()),
  hook: Type.String(),
  tokenExpiresAt: Nullable(Moment),
})
