import { type TextRow, textsOf } from '#domain/report/texts.ts'

/** The texts of the archive with a person's data: one row per text. */
const archiveTexts = {
  title: ['Dados da pessoa', 'Data of the person', 'Datos de la persona', 'Kişinin verileri'],
  made: ['Reunidos em {at}', 'Collected on {at}', 'Reunidos el {at}', 'Toplandığı zaman: {at}'],
  contents: [
    'Esta página mostra tudo o que está guardado sobre esta pessoa. Os mesmos dados estão em data.json, e os arquivos na pasta files.',
    'This page shows everything that is stored about this person. The same data are in data.json, and the files in the folder files.',
    'Esta página muestra todo lo guardado sobre esta persona. Los mismos datos están en data.json, y los archivos en la carpeta files.',
    'Bu sayfa bu kişi hakkında saklanan her şeyi gösterir. Aynı veriler data.json dosyasında, dosyalar files klasöründedir.',
  ],
  name: ['Nome', 'Name', 'Nombre', 'Ad'],
  number: ['Número', 'Number', 'Número', 'Numara'],
  email: ['E-mail', 'Email', 'Correo electrónico', 'E-posta'],
  channel: ['Canal', 'Channel', 'Canal', 'Kanal'],
  tags: ['Tags', 'Tags', 'Etiquetas', 'Etiketler'],
  createdAt: ['Criado', 'Created', 'Creado', 'Oluşturuldu'],
  consent: ['Consentimento', 'Consent', 'Consentimiento', 'Onay'],
  picture: ['Foto', 'Picture', 'Foto', 'Fotoğraf'],
  ticket: ['Atendimento {id}', 'Ticket {id}', 'Ticket {id}', 'Talep {id}'],
  rating: ['Avaliação', 'Rating', 'Calificación', 'Değerlendirme'],
  note: ['Observação', 'Note', 'Observación', 'Not'],
  internal: ['Nota interna', 'Internal note', 'Nota interna', 'Dahili not'],
  us: ['Empresa', 'Company', 'Empresa', 'Şirket'],
  deleted: ['excluída', 'deleted', 'eliminado', 'silindi'],
  missing: ['arquivo indisponível', 'file not available', 'archivo no disponible', 'dosya yok'],
  none: ['Nenhum atendimento', 'No ticket', 'Ningún ticket', 'Talep yok'],
} as const satisfies Record<string, TextRow>
export type ArchiveText = keyof typeof archiveTexts

export const archiveText = textsOf<ArchiveText>(archiveTexts)
