import { words } from '#web/i18n.ts'

export const contactWords = words({
  title: ['Contato', 'Contact', 'Contacto', 'Kişi'],
  edit: ['Editar contato', 'Edit contact', 'Editar contacto', 'Kişiyi düzenle'],
  email: ['E-mail', 'Email', 'Correo', 'E-posta'],
  tags: ['Tags', 'Tags', 'Etiquetas', 'Etiketler'],
  addTag: ['Adicionar tag…', 'Add a tag…', 'Agregar etiqueta…', 'Etiket ekle…'],
  createTag: ['Criar “{name}”', 'Create “{name}”', 'Crear «{name}»', '“{name}” oluştur'],
  shortTag: ['Tag muito curta!', 'Tag too short!', '¡Etiqueta muy corta!', 'Etiket çok kısa!'],
  removeTag: ['Remover a tag {name}', 'Remove the tag {name}', 'Quitar la etiqueta {name}', '{name} etiketini kaldır'],
  noTags: ['Sem tags', 'No tags', 'Sin etiquetas', 'Etiket yok'],
  ticket: ['Atendimento', 'Ticket', 'Atención', 'Talep'],
  amount: ['Valor', 'Amount', 'Valor', 'Tutar'],
  badAmount: [
    'Digite um valor como 1.234,56.',
    'Type an amount such as 1,234.56.',
    'Escriba un valor como 1.234,56.',
    '1.234,56 gibi bir tutar yazın.',
  ],
  openedAt: ['Aceito em', 'Accepted', 'Aceptado', 'Kabul'],
  closedAt: ['Encerrado em', 'Closed', 'Cerrado', 'Kapanış'],
  earlier: ['Atendimentos anteriores', 'Earlier tickets', 'Atenciones anteriores', 'Önceki talepler'],
  noEarlier: ['É o primeiro atendimento', 'This is the first ticket', 'Es la primera atención', 'Bu ilk talep'],
  samePerson: ['É a mesma pessoa que', 'The same person as', 'Es la misma persona que', 'Şununla aynı kişi:'],
  blocked: ['Bloqueado', 'Blocked', 'Bloqueado', 'Engelli'],
  accepted: [
    'Uso de dados aceito (LGPD)',
    'Use of data accepted (LGPD)',
    'Uso de datos aceptado (LGPD)',
    'Veri kullanımı kabul edildi (LGPD)',
  ],
  close: ['Fechar dados do contato', 'Close contact details', 'Cerrar datos del contacto', 'Kişi bilgilerini kapat'],
})
