import type { ErrorTexts } from '#domain/errors.ts'

export const quickReplyErrors = {
  ERR_NO_QUICK_MESSAGE_FOUND: [
    'Nenhuma resposta rápida encontrada com este ID.',
    'No quick reply found with this ID.',
    'No se encontró ninguna respuesta rápida con este ID.',
    'Bu kimlikle hızlı yanıt bulunamadı.',
  ],
  ERR_SHORTCODE_SPACES: [
    'Sem espaços: ao digitar / o atalho é uma só palavra.',
    'No spaces: typed after the /, a shortcode is one word.',
    'Sin espacios: tras la / el atajo es una sola palabra.',
    'Boşluk olmasın: /’dan sonra kısa kod tek kelimedir.',
  ],
} as const satisfies ErrorTexts
