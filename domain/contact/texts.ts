import { type TextRow, textsOf } from '#domain/report/texts.ts'

/** The texts of files with contacts: one row per text. */
const contactTexts = {
  contacts: ['Contatos', 'Contacts', 'Contactos', 'Kişiler'],
  ignored: ['Ignorados', 'Ignored', 'Ignorados', 'Atlananlar'],
  row: ['Linha', 'Row', 'Fila', 'Satır'],
  name: ['Nome', 'Name', 'Nombre', 'Ad'],
  number: ['Número', 'Number', 'Número', 'Numara'],
  email: ['E-mail', 'Email', 'Correo electrónico', 'E-posta'],
  tags: ['Tags', 'Tags', 'Etiquetas', 'Etiketler'],
  channel: ['Canal', 'Channel', 'Canal', 'Kanal'],
  createdAt: ['Criado', 'Created', 'Creado', 'Oluşturuldu'],
  notes: ['Notas', 'Notes', 'Notas', 'Notlar'],
  reason: ['Motivo', 'Reason', 'Motivo', 'Neden'],
} as const satisfies Record<string, TextRow>

export const contactText = textsOf<keyof typeof contactTexts>(contactTexts)
