import type { Static } from 'typebox'
import * as Type from 'typebox'
import { anyone, signedIn } from '#domain/access.ts'
import { del, get, Id, Moment, Nullable, post, Text } from '#domain/contract.ts'
import { Me } from '#domain/user/contract.ts'
import { passwordLength, resetLength } from './rules.ts'

const Token = Text(43, 43)
export const signInKinds = ['signedIn', 'signedOut', 'signInRefused', 'signInPaused', 'sessionEnded', 'passwordSet'] as const
const SignIn = Type.Object({
  id: Id,
  at: Moment,
  kind: Type.Enum([...signInKinds]),
  address: Nullable(Type.String()),
  /** The browser and the system, such as "Chrome, Windows". */
  device: Nullable(Type.String()),
  /** The session of the caller began with this entry. */
  isCurrent: Type.Boolean(),
  /** The session that began with this entry can still be used. */
  isOpen: Type.Boolean(),
})
export type SignIn = Static<typeof SignIn>
/** `others`: the number of the caller's other open sessions. */
const SignIns = Type.Object({ signIns: Type.Array(SignIn), others: Type.Integer() })
export type SignIns = Static<typeof SignIns>
const Entered = Type.Object({ token: Type.String(), user: Me })
export const session = {
  login: post('/auth/login', {
    may: anyone,
    summary:
      'Signs in and sets the refresh token as an httpOnly cookie. Ends the other sessions of the user, unless the company allows several devices.',
    body: Type.Object(
      { email: Text(250, 1), password: Text(200, 1), remember: Type.Optional(Type.Boolean()) },
      { additionalProperties: false },
    ),
    answer: Entered,
    errors: ['ERR_INVALID_CREDENTIALS', 'ERR_INVALID_CREDENTIALS/tooMany', 'ERR_OUT_OF_HOURS', 'ERR_NO_PERMISSION/company'],
  }),
  refresh: post('/auth/refresh_token', {
    may: anyone,
    summary: 'Returns a new access token for the refresh cookie, which is rotated.',
    answer: Entered,
    errors: ['ERR_SESSION_EXPIRED/ended', 'ERR_NO_PERMISSION/company', 'ERR_OUT_OF_HOURS'],
  }),
  passwordLink: post('/auth/password-link', {
    may: anyone,
    summary: 'Shows whose password a link sets, and its minimum length. A link is valid once, for three days (A-USER-04).',
    body: Type.Object({ token: Token }, { additionalProperties: false }),
    answer: Type.Object({ email: Type.String(), company: Type.String(), minLength: Type.Integer() }),
    errors: ['ERR_PASSWORD_LINK'],
  }),
  setPassword: post('/auth/password', {
    may: anyone,
    summary: 'Sets the password by a link, ends all earlier sessions and signs in.',
    body: Type.Object({ token: Token, password: Text(passwordLength.max, passwordLength.min) }, { additionalProperties: false }),
    answer: Entered,
    errors: ['ERR_PASSWORD_LINK', 'ERR_SHORT_PASSWORD', 'ERR_OUT_OF_HOURS', 'ERR_NO_PERMISSION/company'],
  }),
  forgot: post('/auth/forgot-password', {
    may: anyone,
    summary:
      'Mails a link that sets a new password once, within an hour. The answer does not reveal whether the address is known (A-AUTH-09).',
    body: Type.Object({ email: Type.String({ format: 'email', maxLength: 250 }) }, { additionalProperties: false }),
    /** False: this server has no mail server. */
    answer: Type.Object({ mails: Type.Boolean() }),
  }),
  reset: post('/auth/reset-password', {
    may: anyone,
    summary: 'Sets a new password by such a link and ends all earlier sessions.',
    body: Type.Object(
      { token: Type.Optional(Text(200)), newPassword: Text(resetLength.max, resetLength.min) },
      { additionalProperties: false },
    ),
    answer: Type.Object({ email: Type.String() }),
    errors: ['ERR_RESET_TOKEN', 'ERR_SHORT_PASSWORD'],
  }),
  logout: del('/auth/logout', { may: anyone, summary: 'Ends the session.' }),
  signIns: get('/auth/sign-ins', {
    may: signedIn,
    summary: "Lists the newest 30 entries of the security log about the caller's own sign-ins and sessions (A-AUTH-13).",
    answer: SignIns,
  }),
  signOutOthers: del('/auth/sign-ins', {
    may: signedIn,
    summary: "Ends the caller's other sessions (A-AUTH-14).",
    answer: Type.Object({ ended: Type.Integer() }),
  }),
  me: get('/auth/me', { may: signedIn, summary: 'Shows the signed-in user with company, queues, plan and permissions.', answer: Me }),
}
