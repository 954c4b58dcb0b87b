import type { ConnectionRow } from '#domain/connection/contract.ts'
import { words } from '#web/i18n.ts'

/** What of a connection is set, as its form calls it. */
export const connectionFieldWords = words({
  name: ['Nome', 'Name', 'Nombre', 'Ad'],
  color: ['Cor', 'Color', 'Color', 'Renk'],
  isDefault: ['Padrão', 'Default', 'Predeterminada', 'Varsayılan'],
  allowGroup: ['Aceitar grupos', 'Accept groups', 'Aceptar grupos', 'Grupları kabul et'],
  groupAsTicket: [
    'Tratar grupos como atendimentos',
    'Treat groups as tickets',
    'Tratar los grupos como tickets',
    'Grupları talep olarak ele al',
  ],
  token: ['Token para integração externa', 'Token for external integration', 'Token para integración externa', 'Dış entegrasyon anahtarı'],
  queueIds: ['Filas', 'Queues', 'Colas', 'Kuyruklar'],
  sendIdQueue: ['Fila de redirecionamento', 'Queue to redirect to', 'Cola de redirección', 'Yönlendirilecek kuyruk'],
  timeSendQueue: [
    'Redirecionar após (minutos)',
    'Redirect after (minutes)',
    'Redirigir después de (minutos)',
    'Şu kadar dakika sonra yönlendir',
  ],
  timeCreateNewTicket: [
    'Reabrir o atendimento se o cliente voltar em até (minutos)',
    'Reopen the ticket if the customer comes back within (minutes)',
    'Reabrir el ticket si el cliente vuelve en (minutos)',
    'Müşteri şu kadar dakika içinde dönerse talebi yeniden aç',
  ],
  greetingMessage: ['Mensagem de saudação', 'Greeting message', 'Mensaje de saludo', 'Karşılama mesajı'],
  complationMessage: ['Mensagem de conclusão', 'Closing message', 'Mensaje de conclusión', 'Kapanış mesajı'],
  outOfHoursMessage: ['Mensagem fora do horário', 'Out-of-hours message', 'Mensaje fuera de horario', 'Mesai dışı mesajı'],
  collectiveVacationMessage: ['Mensagem de férias coletivas', 'Vacation message', 'Mensaje de vacaciones colectivas', 'Toplu tatil mesajı'],
  collectiveVacationStart: ['Início das férias', 'Vacation begins', 'Inicio de las vacaciones', 'Tatil başlangıcı'],
  collectiveVacationEnd: ['Fim das férias', 'Vacation ends', 'Fin de las vacaciones', 'Tatil bitişi'],
  lgpdLink: [
    'Link da política de privacidade',
    'Link to the privacy policy',
    'Enlace a la política de privacidad',
    'Gizlilik politikası bağlantısı',
  ],
  lgpdMessage: ['Mensagem de privacidade (LGPD)', 'Privacy message (LGPD)', 'Mensaje de privacidad (LGPD)', 'Gizlilik mesajı (LGPD)'],
  maxUseBotQueues: ['Limite de menus do bot', 'Most menus of the bot', 'Límite de menús del bot', 'Botun en fazla menü sayısı'],
  timeUseBotQueues: [
    'Minutos entre um menu e outro',
    'Minutes between one menu and the next',
    'Minutos entre un menú y otro',
    'İki menü arasındaki dakika',
  ],
  expiresTicket: [
    'Encerrar atendimento aberto após (minutos)',
    'Close an open ticket after (minutes)',
    'Cerrar el ticket abierto después de (minutos)',
    'Açık talebi şu kadar dakika sonra kapat',
  ],
  whenExpiresTicket: ['Contar a partir da', 'Count from the', 'Contar desde el', 'Şundan itibaren say'],
  expiresInactiveMessage: [
    'Mensagem ao encerrar por inatividade',
    'Message when closed for inactivity',
    'Mensaje al cerrar por inactividad',
    'Hareketsizlikten kapanırken gönderilecek mesaj',
  ],
  timeInactiveMessage: [
    'Avisar sobre a inatividade após (minutos)',
    'Warn of inactivity after (minutes)',
    'Avisar de la inactividad después de (minutos)',
    'Hareketsizlik uyarısı için dakika',
  ],
  inactiveMessage: ['Aviso de inatividade', 'Inactivity warning', 'Aviso de inactividad', 'Hareketsizlik uyarısı'],
  ratingMessage: ['Mensagem de avaliação', 'Rating message', 'Mensaje de evaluación', 'Değerlendirme mesajı'],
  expiresTicketNPS: [
    'Esperar a avaliação por (minutos)',
    'Wait for the rating for (minutes)',
    'Esperar la evaluación durante (minutos)',
    'Değerlendirme için beklenecek dakika',
  ],
  maxUseBotQueuesNPS: ['Tentativas de avaliação', 'Tries for the rating', 'Intentos de evaluación', 'Değerlendirme deneme sayısı'],
  schedules: ['Horários de atendimento', 'Service hours', 'Horarios de atención', 'Hizmet saatleri'],
  media: ['Arquivo da saudação', 'File of the greeting', 'Archivo del saludo', 'Karşılama dosyası'],
  status: ['Situação', 'Status', 'Estado', 'Durum'],
  number: ['Número', 'Number', 'Número', 'Numara'],
  channel: ['Canal', 'Channel', 'Canal', 'Kanal'],
})

export const statusWords = words<ConnectionRow['status']>({
  qrcode: [
    'Aguardando leitura do código',
    'Waiting for its code to be read',
    'Esperando la lectura del código',
    'Kodun okunması bekleniyor',
  ],
  OPENING: ['Conectando', 'Connecting', 'Conectando', 'Bağlanıyor'],
  CONNECTED: ['Conectada', 'Connected', 'Conectada', 'Bağlı'],
  DISCONNECTED: ['Desconectada', 'Disconnected', 'Desconectada', 'Bağlı değil'],
  PAIRING: ['Pareando', 'Pairing', 'Emparejando', 'Eşleştiriliyor'],
  TIMEOUT: ['Sem resposta', 'No answer', 'Sin respuesta', 'Yanıt yok'],
})
