import { refuse } from '#domain/errors.ts'
import type { AppContext } from '../context.ts'
import { settingsOf } from '../setting/read.ts'

/** `messageId`: the same for a mail that is sent again, so that a mail server may drop the second one. */
export type Mail = {
  to: string
  subject: string
  text: string
  attachments?: { filename: string; content: Buffer; contentType: string }[]
  messageId?: string
}
export type Deps = Pick<AppContext, 'db' | 'companySettingStore'>

const timeoutMs = 10_000

export async function hasMail({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  const { mailHost, mailFrom } = await settingsOf(db, 0)
  return mailHost !== '' && mailFrom !== ''
}

type MailError = { response?: string; code?: string | undefined; message: string }
/** The refusal for a mail server that could not be reached or that refused the sign-in; null: the error is another one. */
function connectionRefusal({ code = '', message, response }: MailError) {
  if (code === 'EAUTH') return 'ERR_MAIL_SIGN_IN'
  if (response !== undefined) return null
  if (code === 'EDNS' || /ENOTFOUND|EAI_AGAIN/.test(message)) return 'ERR_MAIL_NO_HOST'
  if (code === 'ETLS' || /ssl|tls|certificate/i.test(message)) return 'ERR_MAIL_TLS'
  return ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT'].includes(code) || message.startsWith('connect ') ? 'ERR_MAIL_UNREACHABLE' : null
}

/**
 * Sends through the platform's mail server and waits until it accepts the mail. A failure contains the
 * server's or network's reason.
 */
export async function sendMail({ db, companySettingStore }: Deps, mail: Mail): Promise<void> {
  const { mailHost, mailPort, mailSecurity, mailUser, mailFrom } = await settingsOf(db, 0)
  if (mailHost === '' || mailFrom === '') refuse('ERR_MAIL_NOT_SET')
  const { createTransport } = await import('nodemailer') // loaded on demand, because few processes send mail
  const transport = createTransport({
    ...{ host: mailHost, port: Number(mailPort), secure: mailSecurity === 'tls' },
    ...{ requireTLS: mailSecurity === 'starttls', ignoreTLS: mailSecurity === 'none' },
    ...(mailUser !== '' && { auth: { user: mailUser, pass: (await companySettingStore.secret(0, 'mailPassword')) ?? '' } }),
    ...{ connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
  try {
    await transport.sendMail({ from: mailFrom, ...mail })
  } catch (error) {
    const failed = error as MailError
    const reason = (failed.response ?? failed.message).slice(0, 200)
    refuse(connectionRefusal(failed) ?? 'ERR_MAIL_FAILED', { host: mailHost, port: mailPort, reason })
  } finally {
    transport.close()
  }
}
