import { words } from '#web/i18n.ts'

export const noteWords = words({
  title: ['Observações', 'Notes', 'Observaciones', 'Notlar'],
  none: ['Nenhuma observação', 'No notes', 'Ninguna observación', 'Not yok'],
  write: ['Nova observação', 'New note', 'Nueva observación', 'Yeni not'],
  add: ['Adicionar observação', 'Add note', 'Agregar observación', 'Not ekle'],
  remove: ['Excluir observação', 'Delete note', 'Eliminar observación', 'Notu sil'],
  removeText: [
    'Excluir a observação “{text}”?',
    'Delete the note “{text}”?',
    '¿Eliminar la observación «{text}»?',
    '“{text}” notu silinsin mi?',
  ],
  short: ['Muito curta!', 'Too Short!', '¡Demasiado corta!', 'Çok kısa!'],
  added: ['Observação adicionada com sucesso!', 'Note added!', '¡Observación agregada con éxito!', 'Not başarıyla eklendi!'],
  removed: ['Observação excluída com sucesso!', 'Note deleted!', '¡Observación eliminada con éxito!', 'Not başarıyla silindi!'],
})
