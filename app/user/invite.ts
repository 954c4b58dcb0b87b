import type { Viewer } from '#domain/access.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import { mayEditUser } from '#domain/user/contract.ts'
import { linkRootOf } from '../config.ts'
import type { AppContext } from '../context.ts'
import { refusalText } from '../http/error-handler.ts'
import { hasMail, sendMail } from '../mail/send.ts'
import { mailText } from '../mail/words.ts'
import { linkTo, makePasswordLink } from '../session/password-link.ts'
import { userIn } from './colleagues.ts'

type Deps = Pick<AppContext, 'db' | 'companySettingStore' | 'config'>

/**
 * Creates a link to set one's own password and mails it. If that fails, the admin receives the link
 * (A-USER-04).
 */
export async function invite(deps: Deps, viewer: Viewer, address: string, { id, companyId }: { id: number; companyId: number }) {
  const { db, config } = deps
  const user = (await userIn(db, companyId, id)) ?? refuse('ERR_NO_USER_FOUND')
  if (!mayEditUser(viewer, user)) refuse('ERR_NO_PERMISSION')
  const token = await makePasswordLink(db, user, { userId: viewer.id, address })
  /** Without a configured public URL the answer contains only the path, which the browser completes. */
  const unsent = { sent: false, link: linkTo(config.publicUrl ?? '', token) }
  const root = linkRootOf(config)
  if (!(await hasMail(deps))) return { ...unsent, failed: null }
  const { name: company } = await db.selectFrom('company').select('name').where('id', '=', companyId).executeTakeFirstOrThrow()
  const values = { name: user.name, company, link: linkTo(root, token) }
  try {
    const { language } = user
    await sendMail(deps, { to: user.email, subject: mailText('linkSubject', language), text: mailText('link', language, values) })
    return { sent: true, link: null, failed: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const admin = await db.selectFrom('user').select('language').where('id', '=', viewer.id).executeTakeFirst()
    return { ...unsent, failed: refusalText(error.code, admin?.language, viewer.companyLanguage, error.detail) }
  }
}
