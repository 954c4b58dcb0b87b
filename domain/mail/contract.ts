import * as Type from 'typebox'
import { superAdmin } from '#domain/access.ts'
import { post } from '#domain/contract.ts'

export const mail = {
  test: post('/settings/mail/test', {
    may: superAdmin,
    says: 'Sends a mail to the caller by the mail settings as they stand; what the mail server said where it did not go.',
    answer: Type.Object({ to: Type.String() }),
    refuses: ['ERR_MAIL_NOT_SET', 'ERR_MAIL_FAILED'],
  }),
}
