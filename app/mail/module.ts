import { mail } from '#domain/mail/contract.ts'
import type { AppContext } from '../context.ts'
import type { Handlers } from '../http/serve.ts'
import { calls, type FeatureModule } from '../module.ts'
import { sendMail } from './send.ts'
import { mailText } from './words.ts'

const mailRoutes = (deps: Pick<AppContext, 'db' | 'companySettingStore'>): Handlers<typeof mail> => ({
  async test({ viewer: { id } }) {
    const find = deps.db.selectFrom('user').select(['email', 'language']).where('id', '=', id)
    const { email: to, language } = await find.executeTakeFirstOrThrow()
    await sendMail(deps, { to, subject: mailText('testSubject', language), text: mailText('test', language) })
    return { to }
  },
})

export const mailModule: FeatureModule = { calls: [calls('mail', mail, mailRoutes)] }
