import type { ErrorTexts } from '#domain/errors.ts'

export const reportErrors = {
  ERR_INVALID_RANGE: [
    'Confira o período: ele termina antes de começar ou passa de dez anos.',
    'Check the period: it ends before it begins, or is longer than ten years.',
    'Revise el período: termina antes de comenzar o supera los diez años.',
    'Dönemi kontrol edin: başlamadan bitiyor ya da on yıldan uzun.',
  ],
} as const satisfies ErrorTexts
