import { words } from '#web/i18n.ts'

/** Texts of importing messages from before a number was linked (A-IMP-04). */
export const importWords = words({
  tab: ['Importação', 'Import', 'Importación', 'İçe aktarma'],
  hint: [
    'As conversas são importadas quando o celular é vinculado: sem aviso, sem bot, sem não lidas.',
    'Conversations are imported when the phone is linked: no notification, no bot, nothing unread.',
    'Las conversaciones se importan al vincular el teléfono: sin avisos, sin bot, sin no leídos.',
    'Görüşmeler telefon bağlandığında aktarılır: bildirim, bot ve okunmamış mesaj olmadan.',
  ],
  enableImportMessage: [
    'Importar mensagens anteriores',
    'Import earlier messages',
    'Importar mensajes anteriores',
    'Önceki mesajları içe aktar',
  ],
  importOldMessages: ['A partir de', 'From', 'Desde', 'Başlangıç'],
  importRecentMessages: ['Até (vazio: hoje)', 'Until (empty: today)', 'Hasta (vacío: hoy)', 'Bitiş (boş: bugün)'],
  queueIdImportMessages: [
    'Fila das conversas importadas',
    'Queue for imported conversations',
    'Cola de lo importado',
    'İçe aktarılanların kuyruğu',
  ],
  noQueue: ['Escolha uma fila', 'Choose a queue', 'Elija una cola', 'Bir kuyruk seçin'],
  importOldMessagesGroups: ['Importar grupos também', 'Import groups too', 'Importar también los grupos', 'Grupları da içe aktar'],
  closedTicketsPostImported: [
    'Encerrar os atendimentos importados',
    'Close the imported tickets',
    'Cerrar los tickets importados',
    'İçe aktarılan talepleri kapat',
  ],
  errorDate: [
    'Escolha um dia dos últimos dois anos, em ordem',
    'Choose a day of the last two years, in order',
    'Elija un día de los últimos dos años, en orden',
    'Son iki yıldan, sıralı bir gün seçin',
  ],
  preparing: ['Preparando importação', 'Preparing the import', 'Preparando la importación', 'İçe aktarma hazırlanıyor'],
  running: ['Importando: {done} de {all}', 'Importing: {done} of {all}', 'Importando: {done} de {all}', 'İçe aktarılıyor: {done}/{all}'],
  close: ['Encerrar importados', 'Close imported', 'Cerrar importados', 'Aktarılanları kapat'],
  askClose: [
    'Os atendimentos importados que ainda esperam são encerrados. Nada é dito aos clientes.',
    'Imported tickets that are still waiting are closed. Customers are not notified.',
    'Los tickets importados que aún esperan se cierran. No se dice nada a los clientes.',
    'Hâlâ bekleyen aktarılmış talepler kapatılır. Müşterilere bir şey söylenmez.',
  ],
})
