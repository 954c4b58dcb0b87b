import type { ErrorTexts } from '#domain/errors.ts'

export const settingErrors = {
  ERR_NO_SETTING_FOUND: [
    'Nenhuma configuração encontrada com este ID.',
    'No setting found with this ID.',
    'No se encontró ninguna configuración con este ID.',
    'Bu kimlikle ayar bulunamadı.',
  ],
} as const satisfies ErrorTexts
