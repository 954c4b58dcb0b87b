import type { ErrorTexts } from '#domain/errors.ts'

export const tagErrors = {
  ERR_NO_TAG_FOUND: [
    'Nenhuma tag encontrada com este ID.',
    'No tag found with this ID.',
    'No se encontró ninguna etiqueta con este ID.',
    'Bu kimlikle etiket bulunamadı.',
  ],
  ERR_LANE_IN_USE: [
    'Outras colunas levam a esta. Confirme que elas podem deixar de levar atendimentos para cá.',
    'Other columns lead to this one. Confirm that they may stop moving tickets here.',
    'Otras columnas llevan a esta. Confirme que pueden dejar de mover tickets hacia aquí.',
    'Başka sütunlar buraya götürüyor. Talepleri artık buraya taşımayabileceklerini onaylayın.',
  ],
  ERR_OWN_LANE: [
    'Uma coluna não pode levar a si mesma.',
    'A column cannot lead to itself.',
    'Una columna no puede llevar a sí misma.',
    'Bir sütun kendisine yönlendiremez.',
  ],
} as const satisfies ErrorTexts
