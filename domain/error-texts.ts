import { chatbotErrors } from './chatbot/errors.ts'
import { connectionErrors } from './connection/errors.ts'
import { contactErrors } from './contact/errors.ts'
import { contactImportErrors } from './contact-import/errors.ts'
import { dataRequestErrors } from './data-request/errors.ts'
import type { Case, ErrorCode, Texts } from './errors.ts'
import { fileListErrors } from './file-list/errors.ts'
import { generalErrors } from './general-errors.ts'
import { mailErrors } from './mail/errors.ts'
import { messageErrors } from './message/errors.ts'
import { messageSearchErrors } from './message-search/errors.ts'
import { noteErrors } from './note/errors.ts'
import { planErrors } from './plan/errors.ts'
import { queueErrors } from './queue/errors.ts'
import { quickReplyErrors } from './quick-reply/errors.ts'
import { reportErrors } from './report/errors.ts'
import { reportFilterErrors } from './report-filter/errors.ts'
import { sandboxErrors } from './sandbox/errors.ts'
import { sessionErrors } from './session/errors.ts'
import { settingErrors } from './setting/errors.ts'
import { tagErrors } from './tag/errors.ts'
import { ticketErrors } from './ticket/errors.ts'
import { uploadErrors } from './upload/errors.ts'
import { userErrors } from './user/errors.ts'

/** The text of every error, collected from the modules. A code without its four texts does not compile. */
export const errorTexts: Record<ErrorCode, Texts> = {
  ...chatbotErrors,
  ...connectionErrors,
  ...contactErrors,
  ...contactImportErrors,
  ...dataRequestErrors,
  ...mailErrors,
  ...fileListErrors,
  ...messageErrors,
  ...messageSearchErrors,
  ...noteErrors,
  ...planErrors,
  ...queueErrors,
  ...quickReplyErrors,
  ...reportErrors,
  ...reportFilterErrors,
  ...sandboxErrors,
  ...sessionErrors,
  ...settingErrors,
  ...tagErrors,
  ...ticketErrors,
  ...uploadErrors,
  ...userErrors,
  ...generalErrors,
}

/** Cases of one code that have a text of their own. */
export const caseTexts: Partial<Record<Case, Texts>> = {
  'ERR_INVALID_CREDENTIALS/tooMany': [
    'Muitas tentativas de acesso. Aguarde alguns minutos e tente de novo.',
    'Too many sign-in attempts. Wait a few minutes and try again.',
    'Demasiados intentos de acceso. Espere unos minutos e inténtelo de nuevo.',
    'Çok fazla oturum açma denemesi. Birkaç dakika bekleyip yeniden deneyin.',
  ],
  'ERR_INVALID_INPUT/ticket': ['Ticket ID inválido', 'Invalid ticket ID', 'ID de ticket no válido', 'Geçersiz talep kimliği'],
  'ERR_NO_PERMISSION/company': [
    'O acesso desta empresa está desativado. Entre em contato com o suporte.',
    'This company’s access is turned off. Contact support.',
    'El acceso de esta empresa está desactivado. Contacte con soporte.',
    'Bu şirketin erişimi kapatıldı. Destekle iletişime geçin.',
  ],
}
