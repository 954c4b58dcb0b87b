import { words } from '#web/i18n.ts'

/** Texts of inbound messages that we show differently from a phone. */
export const inboundWords = words({
  wholeText: ['Baixar o texto completo', 'Download the full text', 'Descargar el texto completo', 'Metnin tamamını indir'],
  allContacts: ['Baixar todos os contatos', 'Download all contacts', 'Descargar todos los contactos', 'Tüm kişileri indir'],
  moreContacts: ['mostrar mais {n}', 'show {n} more', 'mostrar {n} más', '{n} tane daha göster'],
  riskyFile: [
    'Este tipo de arquivo pode conter um programa. Abra somente se você confia em quem enviou.',
    'A file of this type can contain a program. Open it only if you trust the sender.',
    'Este tipo de archivo puede contener un programa. Ábralo solo si confía en quien lo envió.',
    'Bu türde bir dosya program içerebilir. Yalnızca gönderene güveniyorsanız açın.',
  ],
})
