import * as Type from 'typebox'
import { superAdmin } from '#domain/access.ts'
import { post } from '#domain/contract.ts'

export const mail = {
  test: post('/settings/mail/test', {
    may: superAdmin,
    summary: 'Sends a test mail to the caller with the current mail settings; a failure answers the mail server’s error.',
    answer: Type.Object({ to: Type.String() }),
    errors: ['ERR_MAIL_NOT_SET', 'ERR_MAIL_FAILED'],
  }),
}
