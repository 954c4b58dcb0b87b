import type { ConnectionFields } from '#domain/connection-settings/contract.ts'
import { on, type Settings } from '#domain/setting/contract.ts'
import { translate, words } from '#web/i18n.ts'

const idleWords = words({
  outOfHoursMessage: [
    'Sem efeito: o horário não é da empresa nem da conexão. Mude em Configurações.',
    'No effect: the hours are neither the company’s nor the connection’s. Change that in the settings.',
    'Sin efecto: el horario no es de la empresa ni de la conexión. Cámbielo en Configuración.',
    'Etkisiz: saatler ne şirketin ne de bağlantının. Ayarlardan değiştirin.',
  ],
  ratingMessage: [
    'Sem efeito enquanto as avaliações estiverem desligadas em Configurações.',
    'No effect while ratings are off in the settings.',
    'Sin efecto mientras las calificaciones estén desactivadas en Configuración.',
    'Değerlendirmeler ayarlarda kapalıyken etkisizdir.',
  ],
  lgpdMessage: [
    'Sem efeito enquanto a LGPD estiver desligada em Configurações.',
    'No effect while the data protection setting (LGPD) is off.',
    'Sin efecto mientras la protección de datos (LGPD) esté desactivada en Configuración.',
    'Veri koruma (LGPD) ayarlarda kapalıyken etkisizdir.',
  ],
})

/** Why no customer receives a text under the current settings, or undefined. The author of the text should know. */
export function idleHint(name: keyof ConnectionFields, now: Settings): string | undefined {
  const idle =
    (name === 'outOfHoursMessage' && now.scheduleType !== 'company' && now.scheduleType !== 'connection') ||
    (name === 'ratingMessage' && !on(now, 'userRating')) ||
    (name === 'lgpdMessage' && !on(now, 'enableLGPD'))
  return idle ? translate(idleWords, name as keyof typeof idleWords) : undefined
}
