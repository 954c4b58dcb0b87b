import { words } from '#web/i18n.ts'

export const newWords = words({
  contact: ['Contato', 'Contact', 'Contacto', 'Kişi'],
  find: [
    'Nome ou número, ao menos 3 caracteres',
    'Name or number, at least 3 characters',
    'Nombre o número, al menos 3 caracteres',
    'Ad ya da numara, en az 3 karakter',
  ],
  none: ['Nenhum contato com “{text}”', 'No contact with “{text}”', 'Ningún contacto con «{text}»', '“{text}” ile kişi yok'],
  createIt: ['Criar o contato “{text}”', 'Create the contact “{text}”', 'Crear el contacto «{text}»', '“{text}” kişisini oluştur'],
  change: ['Trocar', 'Change', 'Cambiar', 'Değiştir'],
  connection: ['Conexão', 'Connection', 'Conexión', 'Bağlantı'],
  defaultConnection: ['Conexão padrão', 'Default connection', 'Conexión predeterminada', 'Varsayılan bağlantı'],
  open: ['Abrir atendimento', 'Open ticket', 'Abrir atención', 'Talep aç'],
  needContact: ['Escolha um contato', 'Choose a contact', 'Elija un contacto', 'Bir kişi seçin'],
})

export const logWords = words({
  create: ['Atendimento criado', 'Ticket created', 'Atención creada', 'Talep oluşturuldu'],
  chatBot: ['Bot iniciado', 'Bot started', 'Bot iniciado', 'Bot başladı'],
  queue: ['Entrou na fila {queue}', 'Entered the queue {queue}', 'Entró en la cola {queue}', '{queue} kuyruğuna girdi'],
  open: ['{user} aceitou o atendimento', '{user} accepted the ticket', '{user} aceptó la atención', '{user} talebi kabul etti'],
  access: ['{user} abriu a conversa', '{user} opened the conversation', '{user} abrió la conversación', '{user} görüşmeyi açtı'],
  transfered: [
    '{user} transferiu o atendimento',
    '{user} transferred the ticket',
    '{user} transfirió la atención',
    '{user} talebi aktardı',
  ],
  transferedFrom: [
    '{user} transferiu o atendimento, que estava com {from}',
    '{user} transferred the ticket, which was with {from}',
    '{user} transfirió la atención, que estaba con {from}',
    '{user}, {from} ile olan talebi aktardı',
  ],
  receivedTransfer: [
    '{user} recebeu a transferência · {queue}',
    '{user} received the transfer · {queue}',
    '{user} recibió la transferencia · {queue}',
    'Aktarımı {user} aldı · {queue}',
  ],
  receivedByQueue: [
    'Transferido para a fila {queue}',
    'Transferred to the queue {queue}',
    'Transferido a la cola {queue}',
    '{queue} kuyruğuna aktarıldı',
  ],
  pending: ['{user} devolveu para aguardando', '{user} returned it to waiting', '{user} lo devolvió a espera', '{user} beklemeye aldı'],
  closed: ['Resolvido por {user}', 'Resolved by {user}', 'Resuelto por {user}', '{user} çözdü'],
  closedBySystem: ['Atendimento encerrado', 'Ticket closed', 'Atención cerrada', 'Talep kapatıldı'],
  reopen: ['{user} reabriu o atendimento', '{user} reopened the ticket', '{user} reabrió la atención', '{user} yeniden açtı'],
  redirect: ['Redirecionado para {queue}', 'Redirected to {queue}', 'Redirigido a {queue}', '{queue} kuyruğuna yönlendirildi'],
  undoneClosed: ['{user} desfez o encerramento', '{user} undid the closing', '{user} deshizo el cierre', '{user} kapatmayı geri aldı'],
  undoneReturned: [
    '{user} desfez a devolução',
    '{user} undid the return',
    '{user} deshizo la devolución',
    '{user} beklemeye almayı geri aldı',
  ],
  undoneTransferred: [
    '{user} desfez a transferência',
    '{user} undid the transfer',
    '{user} deshizo la transferencia',
    '{user} aktarmayı geri aldı',
  ],
  undone: ['{user} desfez', '{user} undid it', '{user} lo deshizo', '{user} geri aldı'],
  delete: ['{user} excluiu o atendimento', '{user} deleted the ticket', '{user} eliminó la atención', '{user} talebi sildi'],
  system: ['O sistema', 'The system', 'El sistema', 'Sistem'],
  none: ['Nada registrado ainda', 'Nothing logged yet', 'Nada registrado aún', 'Henüz kayıt yok'],
})
