import type { AuditedList, AuditRow } from '#domain/audit/contract.ts'
import { connectionFieldWords } from '#web/connection/words.ts'
import { contactWords } from '#web/contact/words.ts'
import { fileListWords } from '#web/file-list/words.ts'
import { hoursWords } from '#web/hours/words.ts'
import { type Translations, words } from '#web/i18n.ts'
import { queueWords } from '#web/queue/words.ts'
import { replyWords } from '#web/quick-reply/words.ts'
import { tagWords } from '#web/tag/words.ts'
import { fieldsOfUser } from '#web/user/words.ts'

export const changeWords = words({
  title: ['Alterações', 'Changes', 'Cambios', 'Değişiklikler'],
  lead: [
    'Quem mudou o quê nos cadastros, antes e depois. Estas linhas não são assinadas.',
    'Who changed what in the lists, before and after. These rows are not signed.',
    'Quién cambió qué en los registros, antes y después. Estas filas no están firmadas.',
    'Listelerde kim neyi değiştirdi, öncesi ve sonrası. Bu satırlar imzalı değildir.',
  ],
  list: ['Cadastro', 'List', 'Registro', 'Liste'],
  anyList: ['Todos os cadastros', 'All lists', 'Todos los registros', 'Tüm listeler'],
  person: ['Pessoa', 'Person', 'Persona', 'Kişi'],
  anyone: ['Todas as pessoas', 'Everyone', 'Todas las personas', 'Herkes'],
  gone: ['Pessoa nº {id}', 'Person no. {id}', 'Persona n.º {id}', '{id} no’lu kişi'],
  noOne: ['Pessoa removida', 'Removed person', 'Persona eliminada', 'Silinmiş kişi'],
  noneYet: ['Nenhuma alteração ainda', 'No changes yet', 'Aún no hay cambios', 'Henüz değişiklik yok'],
  noneMatch: [
    'Nenhuma alteração com estes filtros',
    'No changes match these filters',
    'Ningún cambio coincide con estos filtros',
    'Bu filtrelere uyan değişiklik yok',
  ],
  who: ['Quem', 'Who', 'Quién', 'Kim'],
  row: ['Registro', 'Record', 'Elemento', 'Kayıt'],
  what: ['O que mudou', 'What changed', 'Qué cambió', 'Ne değişti'],
  when: ['Quando', 'When', 'Cuándo', 'Ne zaman'],
  only: ['Só as alterações de {name}', 'Only changes by {name}', 'Solo los cambios de {name}', 'Yalnızca {name} değişiklikleri'],
  before: ['antes', 'before', 'antes', 'önce'],
  after: ['depois', 'after', 'después', 'sonra'],
  ignored: [
    'O endereço pede algo que não se pode procurar e que não estreita a lista: {what}',
    'The address contains something that cannot be searched for and does not narrow the list: {what}',
    'La dirección pide algo que no se puede buscar y que no acota la lista: {what}',
    'Adres aranamayacak bir şey istiyor, bu listeyi daraltmıyor: {what}',
  ],
  nothing: ['vazio', 'empty', 'vacío', 'boş'],
  yes: ['sim', 'yes', 'sí', 'evet'],
  no: ['não', 'no', 'no', 'hayır'],
  masked: [
    'dado pessoal, não guardado aqui',
    'personal data, not kept here',
    'dato personal, no guardado aquí',
    'kişisel veri, burada saklanmaz',
  ],
  settings: [
    'Configurações alteradas: no registro de segurança',
    'Changed settings are in the security log',
    'Ajustes modificados: en el registro de seguridad',
    'Değiştirilen ayarlar: güvenlik kaydında',
  ],
  on: ['ligado', 'on', 'activado', 'açık'],
  off: ['desligado', 'off', 'desactivado', 'kapalı'],
  more: ['Mostrar tudo', 'Show all', 'Mostrar todo', 'Tümünü göster'],
  less: ['Mostrar menos', 'Show less', 'Mostrar menos', 'Daha az göster'],
})

export const actWords = words<AuditRow['act']>({
  created: ['Criou', 'Created', 'Creó', 'Oluşturdu'],
  changed: ['Alterou', 'Changed', 'Cambió', 'Değiştirdi'],
  removed: ['Excluiu', 'Deleted', 'Eliminó', 'Sildi'],
})

/** Names one row of each list. */
export const listWords = words<AuditedList>({
  queue: ['Fila', 'Queue', 'Cola', 'Kuyruk'],
  tag: ['Tag', 'Tag', 'Etiqueta', 'Etiket'],
  quickMessage: ['Resposta rápida', 'Quick reply', 'Respuesta rápida', 'Hızlı yanıt'],
  fileList: ['Lista de arquivos', 'File list', 'Lista de archivos', 'Dosya listesi'],
  contact: ['Contato', 'Contact', 'Contacto', 'Kişi'],
  user: ['Usuário', 'User', 'Usuario', 'Kullanıcı'],
  company: ['Empresa', 'Company', 'Empresa', 'Şirket'],
  connection: ['Conexão', 'Connection', 'Conexión', 'Bağlantı'],
})

/** Names the fields of each list as its form does. A field without a text is shown by its own name. */
export const fieldWords = words<string>({
  'queue.name': queueWords.name,
  'queue.color': queueWords.color,
  'queue.greetingMessage': queueWords.greeting,
  'queue.orderQueue': queueWords.order,
  'queue.chatbots': queueWords.options,
  'queue.users': queueWords.users,
  'queue.outOfHoursMessage': queueWords.outOfHours,
  'queue.schedules': queueWords.hours,
  'queue.ativarRoteador': queueWords.rotates,
  'queue.tempoRoteador': queueWords.rotatesAfter,
  'queue.fileListId': queueWords.files,
  'queue.closeTicket': queueWords.closes,
  'company.schedules': hoursWords.companyHours,
  'company.holidays': hoursWords.holidays,
  'tag.name': tagWords.name,
  'tag.color': tagWords.color,
  'tag.kanban': ['Coluna do Kanban', 'Kanban column', 'Columna del Kanban', 'Kanban sütunu'],
  'tag.timeLane': ['Horas na coluna', 'Hours in the column', 'Horas en la columna', 'Sütunda geçen saat'],
  'tag.nextLaneId': ['Próxima coluna', 'Next column', 'Columna siguiente', 'Sonraki sütun'],
  'tag.rollbackLaneId': ['Coluna de retorno', 'Return column', 'Columna de regreso', 'Geri dönüş sütunu'],
  'tag.greetingMessageLane': ['Mensagem da coluna', 'Column message', 'Mensaje de la columna', 'Sütun mesajı'],
  'tag.position': queueWords.order,
  'tag.userId': ['Criada por', 'Created by', 'Creada por', 'Oluşturan'],
  'quickMessage.shortcode': replyWords.shortcode,
  'quickMessage.message': replyWords.message,
  'quickMessage.geral': replyWords.geral,
  'quickMessage.visao': replyWords.visao,
  'quickMessage.status': replyWords.status,
  'quickMessage.userId': ['De', 'Of', 'De', 'Sahibi'],
  'quickMessage.media': replyWords.file,
  'fileList.name': fileListWords.name,
  'fileList.message': fileListWords.message,
  'fileList.options': fileListWords.files,
  'fileList.userId': ['Criada por', 'Created by', 'Creada por', 'Oluşturan'],
  'contact.name': contactWords.name,
  'contact.number': contactWords.number,
  'contact.email': contactWords.email,
  'contact.extraInfo': contactWords.extra,
  'contact.active': contactWords.active,
  'contact.disableBot': contactWords.disableBot,
  'contact.acceptAudioMessage': contactWords.acceptAudioMessage,
  'contact.tags': contactWords.tags,
  'user.name': fieldsOfUser.name,
  'user.email': fieldsOfUser.email,
  'user.profile': fieldsOfUser.profile,
  'user.queues': fieldsOfUser.queueIds,
  'user.reportQueues': fieldsOfUser.reportQueueIds,
  'user.whatsappId': fieldsOfUser.whatsappId,
  'user.startWork': fieldsOfUser.startWork,
  'user.endWork': fieldsOfUser.endWork,
  'user.farewellMessage': fieldsOfUser.farewellMessage,
  'user.color': fieldsOfUser.color,
  'user.defaultTheme': fieldsOfUser.defaultTheme,
  'user.defaultMenu': fieldsOfUser.defaultMenu,
  'user.language': fieldsOfUser.language,
  'user.password': fieldsOfUser.password,
  'user.allTicket': fieldsOfUser.allTicket,
  'user.allowGroup': fieldsOfUser.allowGroup,
  'user.allHistoric': fieldsOfUser.allHistoric,
  'user.allUserChat': fieldsOfUser.allUserChat,
  'user.userClosePendingTicket': fieldsOfUser.userClosePendingTicket,
  'user.showDashboard': fieldsOfUser.showDashboard,
  'user.allowRealTime': fieldsOfUser.allowRealTime,
  'user.allowConnections': fieldsOfUser.allowConnections,
  'user.allowAudit': fieldsOfUser.allowAudit,
  ...(Object.fromEntries(Object.entries(connectionFieldWords).map(([field, row]) => [`connection.${field}`, row])) as Record<
    `connection.${string}`,
    Translations
  >),
} satisfies Record<`${AuditedList}.${string}`, Translations>)
