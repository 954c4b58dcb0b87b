import { refuse } from '#domain/errors.ts'
import type { AppContext } from '../context.ts'
import type { HttpExchange } from '../http/serve.ts'
import { clearFailures, countAttempt } from './attempts.ts'
import { passwordFits } from './password.ts'

/** Checks the password of a signed-in user. Wrong ones count like failed sign-ins (A-AUTH-13). */
export async function requirePassword(
  { db, loginThrottle }: Pick<AppContext, 'db' | 'loginThrottle'>,
  userId: number,
  password: string | undefined,
  wire: HttpExchange,
): Promise<void> {
  if (password === undefined) refuse('ERR_WRONG_PASSWORD')
  const user = await db.selectFrom('user').select(['email', 'passwordHash']).where('id', '=', userId).executeTakeFirstOrThrow()
  const counted = await countAttempt({ db, loginThrottle }, user.email.toLowerCase(), wire.ip)
  if ('seconds' in counted) {
    wire.header('retry-after', String(counted.seconds))
    refuse('ERR_INVALID_CREDENTIALS/tooMany', { retryAfter: counted.seconds })
  }
  if (!(await passwordFits(password, user.passwordHash))) refuse('ERR_WRONG_PASSWORD')
  await clearFailures(db, counted)
}
