import * as Type from 'typebox'
import { anyone, signedIn } from '#domain/access.ts'
import { del, get, post, Text } from '#domain/contract.ts'
import { Me } from '#domain/user/contract.ts'

const Entered = Type.Object({ token: Type.String(), user: Me })
export const session = {
  login: post('/auth/login', {
    may: anyone,
    says: 'Signs in; the refresh token comes as an httpOnly cookie. Ends the other sessions of the user.',
    body: Type.Object(
      { email: Text(250, 1), password: Text(200, 1), remember: Type.Optional(Type.Boolean()) },
      { additionalProperties: false },
    ),
    answer: Entered,
  }),
  refresh: post('/auth/refresh_token', { may: anyone, says: 'A new access token for the cookie, which is rotated.', answer: Entered }),
  logout: del('/auth/logout', { may: anyone }),
  me: get('/auth/me', { may: signedIn, answer: Me }),
}
