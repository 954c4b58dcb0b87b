import type { ErrorTexts } from '#domain/errors.ts'

export const messageSearchErrors = {
  ERR_SEARCH_TOO_SHORT: [
    'Digite uma palavra de pelo menos três letras ou escolha um filtro.',
    'Type a word of at least three letters, or choose a filter.',
    'Escriba una palabra de al menos tres letras o elija un filtro.',
    'En az üç harfli bir sözcük yazın veya bir filtre seçin.',
  ],
} as const satisfies ErrorTexts
