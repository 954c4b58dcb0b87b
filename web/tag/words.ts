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
    'Tags mark contacts and help you filter tickets.',
    'Las etiquetas marcan contactos y ayudan a filtrar tickets.',
    'Etiketler kişileri işaretler ve talepleri filtrelemeye yardımcı olur.',
  ],
  unused: [
    'Nenhum contato tem esta tag.',
    'No contact has this tag.',
    'Ningún contacto tiene esta etiqueta.',
    'Bu etiket hiçbir kişide yok.',
  ],
  usedOnce: [
    '1 contato tem esta tag. Ela some dele e dos atendimentos dele, para todos, e não volta.',
    '1 contact has this tag. It is removed from them and their tickets, for everyone, and cannot be restored.',
    '1 contacto tiene esta etiqueta. Desaparece de él y de sus tickets, para todos, y no vuelve.',
    '1 kişide bu etiket var. O kişiden ve taleplerinden herkes için kalkar ve geri gelmez.',
  ],
  used: [
    '{n} contatos têm esta tag. Ela some deles e dos atendimentos deles, para todos, e não volta.',
    '{n} contacts have this tag. It is removed from them and their tickets, for everyone, and cannot be restored.',
    '{n} contactos tienen esta etiqueta. Desaparece de ellos y de sus tickets, para todos, y no vuelve.',
    '{n} kişide bu etiket var. Onlardan ve taleplerinden herkes için kalkar ve geri gelmez.',
  ],
  contactsOf: ['Contatos com a tag {name}', 'Contacts with the tag {name}', 'Contactos con la etiqueta {name}', '{name} etiketli kişiler'],
  contactsCounted: [
    '{n} contatos com a tag {name}',
    '{n} contacts with the tag {name}',
    '{n} contactos con la etiqueta {name}',
    '{name} etiketli {n} kişi',
  ],
  contactsCountedOne: [
    '{n} contato com a tag {name}',
    '{n} contact with the tag {name}',
    '{n} contacto con la etiqueta {name}',
    '{name} etiketli {n} kişi',
  ],
  release: ['Retirar a tag de {name}', 'Remove the tag from {name}', 'Quitar la etiqueta a {name}', 'Etiketi {name} kişisinden kaldır'],
  releaseShort: ['Retirar a tag', 'Remove the tag', 'Quitar la etiqueta', 'Etiketi kaldır'],
  released: [
    'A tag {tag} foi retirada de {name}.',
    'The tag {tag} was removed from {name}.',
    'Se quitó la etiqueta {tag} a {name}.',
    '{tag} etiketi {name} kişisinden kaldırıldı.',
  ],
  contacts: ['Contatos', 'Contacts', 'Contactos', 'Kişiler'],
  name: ['Nome', 'Name', 'Nombre', 'Ad'],
  color: ['Cor', 'Color', 'Color', 'Renk'],
  id: ['ID', 'ID', 'ID', 'No'],
})
