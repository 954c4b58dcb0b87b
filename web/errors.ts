import type { ErrorCode } from '#domain/errors.ts'
import { generalErrors } from '#domain/general-errors.ts'
import { type Words, words } from './i18n.ts'

/**
 * The texts of refusals. The first page has the texts of every module and adds those in an answer. A screen that
 * shows them itself imports `area-errors.ts`.
 */
export const errorWords = words({ ...generalErrors } as Words as Words<ErrorCode>)

/** Texts of failures that the browser detects, or of cases that share one code. */
export const failureWords = words({
  offline: [
    'Sem conexão com o servidor. Confira a internet e tente de novo.',
    'No connection to the server. Check the internet and try again.',
    'Sin conexión con el servidor. Revise internet e inténtelo de nuevo.',
    'Sunucuya bağlanılamıyor. İnterneti kontrol edip yeniden deneyin.',
  ],
  tooManySignIns: [
    'Muitas tentativas de acesso. Aguarde alguns minutos e tente de novo.',
    'Too many sign-in attempts. Wait a few minutes and try again.',
    'Demasiados intentos de acceso. Espere unos minutos e inténtelo de nuevo.',
    'Çok fazla oturum açma denemesi. Birkaç dakika bekleyip yeniden deneyin.',
  ],
  companyOff: [
    'O acesso desta empresa está desativado. Entre em contato com o suporte.',
    'This company’s access is turned off. Contact support.',
    'El acceso de esta empresa está desactivado. Contacte con soporte.',
    'Bu şirketin erişimi kapatıldı. Destekle iletişime geçin.',
  ],
})
