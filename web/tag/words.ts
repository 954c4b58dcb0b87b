import { words } from '#web/i18n.ts'

export const tagWords = words({
  title: ['Tags', 'Tags', 'Etiquetas', 'Etiketler'],
  add: ['Nova tag', 'New tag', 'Nueva etiqueta', 'Yeni etiket'],
  edit: ['Editar tag', 'Edit tag', 'Editar etiqueta', 'Etiketi düzenle'],
  short: [
    'Mensagem muito curta: ao menos {n} caracteres.',
    'Too Short! At least {n} characters.',
    'Nombre muy corto: al menos {n} caracteres.',
    'Ad çok kısa: en az {n} karakter.',
  ],
  empty: ['Nenhuma tag ainda', 'No tags yet', 'Aún no hay etiquetas', 'Henüz etiket yok'],
  lead: [
    'Tags marcam contatos e ajudam a filtrar os atendimentos.',
    'Tags mark contacts and help to filter tickets.',
    'Las etiquetas marcan contactos y ayudan a filtrar tickets.',
    'Etiketler kişileri işaretler ve talepleri süzmeye yardımcı olur.',
  ],
  contacts: ['Contatos', 'Contacts', 'Contactos', 'Kişiler'],
  name: ['Nome', 'Name', 'Nombre', 'Ad'],
  color: ['Cor', 'Color', 'Color', 'Renk'],
  id: ['ID', 'ID', 'ID', 'No'],
})
