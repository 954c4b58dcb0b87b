import { ticketEventTypes, traitsOf } from '#domain/ticket/event-catalogue.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { type Translations, words } from '#web/i18n.ts'
import { logWords } from '#web/ticket/dialogs/words.ts'

/** The text of its entry in the ticket log, for events without a row of their own. */
const logTexts = Object.fromEntries(
  ticketEventTypes.flatMap((type) => {
    const { log } = traitsOf(type)
    return log && Object.hasOwn(logWords, log) ? [[type, logWords[log as keyof typeof logWords]]] : []
  }),
) as Record<TicketEvent['type'], Translations> // tests/history/replay.test.ts finds an event without a text

/** One sentence per event. {user} and {queue} are its objects; {by} is the actor. */
export const factWords = words({
  ...logTexts,
  TicketOpened: ['Atendimento criado', 'Ticket created', 'Ticket creado', 'Talep oluşturuldu'],
  TicketImported: [
    'Conversa anterior importada',
    'Earlier conversation imported',
    'Conversación anterior importada',
    'Önceki görüşme içe aktarıldı',
  ],
  TicketAssigned: ['Espera por {user}', 'Waiting for {user}', 'Espera a {user}', '{user} bekleniyor'],
  TicketAccepted: ['{user} aceitou o atendimento', '{user} accepted the ticket', '{user} aceptó el ticket', '{user} talebi kabul etti'],
  TicketReturned: ['Devolvido à espera', 'Returned to waiting', 'Devuelto a espera', 'Beklemeye geri gönderildi'],
  TicketTransferred: [
    'Transferido para {user}, fila {queue}',
    'Transferred to {user}, queue {queue}',
    'Transferido a {user}, cola {queue}',
    '{user}, {queue} kuyruğuna aktarıldı',
  ],
  TicketTransferredQueue: [
    'Transferido para a fila {queue}',
    'Transferred to the queue {queue}',
    'Transferido a la cola {queue}',
    '{queue} kuyruğuna aktarıldı',
  ],
  TicketClosed: ['Resolvido', 'Resolved', 'Resuelto', 'Çözüldü'],
  TicketClosedGone: [
    'Encerrado: {by} excluiu a conexão',
    'Closed: {by} deleted the connection',
    'Cerrado: {by} eliminó la conexión',
    'Kapatıldı: {by} bağlantıyı sildi',
  ],
  TicketClosedUnserved: ['Fechado sem atender', 'Closed without serving', 'Cerrado sin atender', 'Karşılanmadan kapatıldı'],
  TicketReopened: ['{user} reabriu o atendimento', '{user} reopened the ticket', '{user} reabrió el ticket', '{user} talebi yeniden açtı'],
  TicketReopenedContact: [
    'Reaberto com {user}: o cliente escreveu antes de a avaliação ser pedida',
    'Reopened with {user}: the customer wrote before the rating was requested',
    'Reabierto con {user}: el cliente escribió antes de que se pidiera la calificación',
    '{user} ile yeniden açıldı: müşteri değerlendirme istenmeden yazdı',
  ],
  TicketResumed: [
    'Reaberto: o cliente escreveu de novo',
    'Reopened: the customer wrote again',
    'Reabierto: el cliente escribió de nuevo',
    'Yeniden açıldı: müşteri yeniden yazdı',
  ],
  TicketRedirected: [
    'Esperou demais sem fila: foi para a fila {queue}',
    'Waited too long without a queue: moved to the queue {queue}',
    'Esperó demasiado sin cola: pasó a la cola {queue}',
    'Kuyruksuz çok bekledi: {queue} kuyruğuna alındı',
  ],
  ConsentRequested: [
    'O cliente foi informado sobre o uso de seus dados',
    'The customer was informed about the use of their data',
    'Se informó al cliente sobre el uso de sus datos',
    'Müşteriye verilerinin kullanımı bildirildi',
  ],
  ConsentGiven: [
    'O cliente aceitou o uso de dados · sha256 do texto: {text}',
    'The customer accepted the use of data · sha256 of the text: {text}',
    'El cliente aceptó el uso de datos · sha256 del texto: {text}',
    'Müşteri veri kullanımını kabul etti · metnin sha256 değeri: {text}',
  ],
  ConsentGivenByNotice: [
    'O cliente foi informado, o que vale como aceite · sha256 do texto: {text}',
    'The customer was informed, which counts as consent · sha256 of the text: {text}',
    'Se informó al cliente, lo que vale como aceptación · sha256 del texto: {text}',
    'Müşteri bilgilendirildi, bu onay sayılır · metnin sha256 değeri: {text}',
  ],
  ConsentRefused: [
    'O cliente não aceitou o uso de dados · sha256 do texto: {text}',
    'The customer did not accept the use of data · sha256 of the text: {text}',
    'El cliente no aceptó el uso de datos · sha256 del texto: {text}',
    'Müşteri veri kullanımını kabul etmedi · metnin sha256 değeri: {text}',
  ],
  RatingRequested: [
    'O cliente vai ser convidado a avaliar',
    'A rating will be requested from the customer',
    'Se pedirá una calificación al cliente',
    'Müşteriden değerlendirme istenecek',
  ],
  TicketRated: [
    'O cliente avaliou: {rating}',
    'The customer rated it: {rating}',
    'Calificación del cliente: {rating}',
    'Müşteri değerlendirdi: {rating}',
  ],
  RatingMissed: ['Encerrado sem avaliação', 'Closed without a rating', 'Cerrado sin calificación', 'Değerlendirme olmadan kapatıldı'],
  InactivityWarned: [
    'Aviso de inatividade enviado',
    'Inactivity warning sent',
    'Aviso de inactividad enviado',
    'Hareketsizlik uyarısı gönderildi',
  ],
  ActionUndone: [
    '{user} desfez a última ação',
    '{user} undid the last action',
    '{user} deshizo la última acción',
    '{user} son işlemi geri aldı',
  ],
  TicketDeleted: ['Atendimento excluído', 'Ticket deleted', 'Ticket eliminado', 'Talep silindi'],
  TicketAccessed: ['{user} abriu a conversa', '{user} opened the conversation', '{user} abrió la conversación', '{user} görüşmeyi açtı'],
  TicketAccessedPeek: [
    '{user} leu as mensagens sem abrir o atendimento',
    '{user} read the messages without opening the ticket',
    '{user} leyó los mensajes sin abrir el ticket',
    '{user} talebi açmadan mesajları okudu',
  ],
  TicketAccessedPrint: [
    '{user} imprimiu a conversa ou a salvou em PDF',
    '{user} printed the conversation or saved it as PDF',
    '{user} imprimió la conversación o la guardó en PDF',
    '{user} görüşmeyi yazdırdı veya PDF olarak kaydetti',
  ],
  TicketAccessedExport: [
    '{user} exportou o histórico',
    '{user} exported the history',
    '{user} exportó el historial',
    '{user} geçmişi dışa aktardı',
  ],
  TicketAccessedReplay: ['{user} abriu o histórico', '{user} opened the history', '{user} abrió el historial', '{user} geçmişi açtı'],
  TicketRead: ['Mensagens lidas por {user}', 'Messages read by {user}', 'Mensajes leídos por {user}', 'Mesajları {user} okudu'],
  IntegrationSwitched: [
    'Integração ligada ou desligada',
    'Integration switched',
    'Integración activada o desactivada',
    'Entegrasyon değiştirildi',
  ],
  MessageReceived: ['Mensagem recebida', 'Message received', 'Mensaje recibido', 'Mesaj alındı'],
  MessageDecrypted: [
    'Conteúdo da mensagem recebido',
    'Message content received',
    'Contenido del mensaje recibido',
    'Mesajın içeriği alındı',
  ],
  MessageSentExternally: [
    'Mensagem escrita fora daqui, no celular da empresa',
    'Message written elsewhere, on the company’s phone',
    'Mensaje escrito fuera de aquí, en el teléfono de la empresa',
    'Mesaj başka yerde, şirketin telefonunda yazıldı',
  ],
  MessageImported: [
    'Mensagem de antes, importada do celular',
    'Earlier message, imported from the phone',
    'Mensaje anterior, importado del teléfono',
    'Önceki mesaj, telefondan aktarıldı',
  ],
  MessageSent: ['Mensagem escrita', 'Message written', 'Mensaje escrito', 'Mesaj yazıldı'],
  MessageDispatched: ['Entregue ao canal', 'Handed to the channel', 'Entregado al canal', 'Kanala verildi'],
  MessageAccepted: ['Aceita pelo canal', 'Accepted by the channel', 'Aceptado por el canal', 'Kanal kabul etti'],
  MessagesDelivered: ['Entregue ao contato', 'Delivered to the contact', 'Entregado al contacto', 'Kişiye teslim edildi'],
  MessagesRead: ['Lida pelo contato', 'Read by the contact', 'Leído por el contacto', 'Kişi okudu'],
  MessagesPlayed: ['Ouvida pelo contato', 'Played by the contact', 'Escuchado por el contacto', 'Kişi dinledi'],
  MessageFailed: ['O envio falhou', 'Sending failed', 'El envío falló', 'Gönderim başarısız'],
  MessageUncertain: ['Envio sem confirmação', 'Sending not confirmed', 'Envío sin confirmar', 'Gönderim onaysız'],
  MessageEdited: ['Mensagem editada', 'Message edited', 'Mensaje editado', 'Mesaj düzenlendi'],
  MessageRemoved: ['Mensagem apagada', 'Message deleted', 'Mensaje eliminado', 'Mesaj silindi'],
  MessageReacted: ['Reação {emoji}', 'Reaction {emoji}', 'Reacción {emoji}', 'Tepki {emoji}'],
  ReactionRemoved: ['Reação retirada', 'Reaction removed', 'Reacción retirada', 'Tepki geri alındı'],
  AutomationActed: [
    'O sistema agiu automaticamente',
    'The system acted automatically',
    'El sistema actuó automáticamente',
    'Sistem otomatik işlem yaptı',
  ],
  LaneEntered: ['Entrou na coluna {lane}', 'Entered the column {lane}', 'Entró en la columna {lane}', '{lane} sütununa girdi'],
  LaneLeft: ['Saiu da coluna {lane}', 'Left the column {lane}', 'Salió de la columna {lane}', '{lane} sütunundan çıktı'],
  AmountSet: ['Valor: {amount}', 'Amount: {amount}', 'Valor: {amount}', 'Tutar: {amount}'],
  BotMoved: ['O bot mostrou um menu', 'The bot showed a menu', 'El bot mostró un menú', 'Bot bir menü gösterdi'],
  BotEnded: ['O bot terminou', 'The bot ended', 'El bot terminó', 'Bot sona erdi'],
  NoteAdded: ['Observação adicionada', 'Note added', 'Observación agregada', 'Not eklendi'],
  NoteRemoved: ['Observação excluída', 'Note deleted', 'Observación eliminada', 'Not silindi'],
  other: ['Outro registro', 'Another record', 'Otro registro', 'Başka bir kayıt'],
})
