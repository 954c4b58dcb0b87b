import type { ErrorCode } from '#domain/errors.ts'
import { generalErrors } from '#domain/general-errors.ts'
import { type Words, words } from './i18n.ts'

/**
 * What a person reads when the system says no. The first page knows what every area may say, and takes an area's own words from the answer;
 * a screen that says them by itself imports `area-errors.ts`.
 */
export const errorWords = words({ ...generalErrors } as Words as Words<ErrorCode>)

/** What the browser finds out by itself, or must tell apart within one code. */
export const failureWords = words({
  offline: [
    'Sem conexão com o servidor. Confira a internet e tente de novo.',
    'No connection to the server. Check the internet and try again.',
    'Sin conexión con el servidor. Revise internet e inténtelo de nuevo.',
    'Sunucuya bağlanılamıyor. İnterneti kontrol edip tekrar deneyin.',
  ],
  tooManySignIns: [
    'Muitas tentativas de acesso. Aguarde alguns minutos e tente de novo.',
    'Too many sign-in attempts. Wait a few minutes and try again.',
    'Demasiados intentos de acceso. Espere unos minutos e inténtelo de nuevo.',
    'Çok fazla giriş denemesi. Birkaç dakika bekleyip tekrar deneyin.',
  ],
  companyOff: [
    'O acesso desta empresa está desativado. Entre em contato com o suporte.',
    'This company’s access is switched off. Contact support.',
    'El acceso de esta empresa está desactivado. Contacte con soporte.',
    'Bu şirketin erişimi kapatıldı. Destekle iletişime geçin.',
  ],
})
