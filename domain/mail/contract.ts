import * as Type from 'typebox'
import { superAdmin } from '#domain/access.ts'
import { post } from '#domain/contract.ts'

export const mail = {
  test: post('/settings/mail/test', {
    may: superAdmin,
    summary: 'Sends a test mail to the caller with the current mail settings; a failure answers the mail server’s error.',
    answer: Type.Object({ to: Type.String() }),
    errors: ['ERR_MAIL_NOT_SET', 'ERR_MAIL_NO_HOST', 'ERR_MAIL_UNREACHABLE', 'ERR_MAIL_TLS', 'ERR_MAIL_SIGN_IN', 'ERR_MAIL_FAILED'],
  }),
}
