import type { ErrorTexts } from '#domain/errors.ts'

export const reportErrors = {
  ERR_FUTURE_MOMENT: [
    'Este momento ainda não chegou. Escolha um do passado.',
    'This moment has not come yet. Choose one in the past.',
    'Este momento aún no ha llegado. Elija uno del pasado.',
    'Bu an henüz gelmedi. Geçmişten bir an seçin.',
  ],
  ERR_INVALID_RANGE: [
    'Confira o período: ele termina antes de começar ou passa de dez anos.',
    'Check the period: it ends before it begins, or is longer than ten years.',
    'Revise el período: termina antes de comenzar o supera los diez años.',
    'Dönemi kontrol edin: başlamadan bitiyor ya da on yıldan uzun.',
  ],
} as const satisfies ErrorTexts
