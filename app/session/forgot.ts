import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { minuteMs } from '#domain/duration/rules.ts'
import { linkRootOf } from '../config.ts'
import type { AppContext } from '../context.ts'
import { createRateLimiter } from '../http/rate-limiter.ts'
import type { HttpExchange } from '../http/serve.ts'
import { hasMail, sendMail } from '../mail/send.ts'
import { mailText } from '../mail/words.ts'
import { job } from '../scheduler/jobs.ts'
import { network } from './attempts.ts'
import { makeResetLink, resetLinkTo } from './password-link.ts'

/**
 * Sends a link for a forgotten password (A-AUTH-09). The answer and its delay are the same whether the
 * account exists or not.
 */
export const requestPasswordReset = ({ db, enqueue }: Pick<AppContext, 'db' | 'enqueue'>) => {
  const byAddress = createRateLimiter({ burst: 5, everyMs: minuteMs })
  const byAccount = createRateLimiter({ burst: 3, everyMs: 10 * minuteMs })
  return async function forgot(email: string, wire: HttpExchange): Promise<{ mails: boolean }> {
    byAddress.consumeOrRefuse(network(wire.ip), wire)
    const mails = await hasMail({ db })
    const account = createHash('sha256').update(email).digest('base64url')
    if (!mails || !byAccount.tryConsume(account)) return { mails }
    const user = await db
      .selectFrom('user')
      .select('id')
      .where(sql`lower(email)`, '=', email)
      .where('retiredAt', 'is', null)
      .executeTakeFirst()
    await enqueue(mailReset, { userId: user?.id ?? null, address: wire.ip }, { id: `forgot-${crypto.randomUUID()}` })
    return { mails }
  }
}

/** Creates the link when the mail is sent, so that the link is stored nowhere else. */
export const mailReset = job<Pick<AppContext, 'db' | 'config' | 'companySettingStore'>>()<{ userId: number | null; address: string }>(
  'mail-reset',
  {
    attempts: 5,
    queue: 'mail',
    async run({ userId, address }, { db, config, companySettingStore }) {
      if (userId === null) return
      const user = await db
        .selectFrom('user')
        .innerJoin('company', 'company.id', 'user.companyId')
        .select(['user.id', 'user.companyId', 'user.name', 'user.email', 'user.language', 'company.name as company'])
        .where('user.id', '=', userId)
        .where('retiredAt', 'is', null)
        .executeTakeFirst()
      if (!user) return
      const { name, email: to, company, language } = user
      const link = resetLinkTo(linkRootOf(config), await makeResetLink(db, user, address))
      await sendMail(
        { db, companySettingStore },
        { to, subject: mailText('resetSubject', language), text: mailText('reset', language, { name, company, link }) },
      )
    },
  },
)
