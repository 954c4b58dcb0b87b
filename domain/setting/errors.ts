import type { ErrorTexts } from '#domain/errors.ts'

export const settingErrors = {
  ERR_NO_SETTING_FOUND: [
    'Nenhuma configuração encontrada com este ID.',
    'No setting found with this ID.',
    'No se encontró ninguna configuración con este ID.',
    'Bu kimlikle ayar bulunamadı.',
  ],
  ERR_WAITING_LIMITS: [
    'O limite amarelo da espera não pode passar do vermelho. Mude primeiro o outro limite.',
    'The yellow limit of the waiting time cannot be above the red one. Change the other limit first.',
    'El límite amarillo de la espera no puede superar el rojo. Cambie primero el otro límite.',
    'Beklemenin sarı sınırı kırmızı sınırı aşamaz. Önce diğer sınırı değiştirin.',
  ],
} as const satisfies ErrorTexts
