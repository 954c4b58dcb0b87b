import type { Reason } from '#domain/flow/step.ts'
import { type Translate, type Translations, words } from '#web/i18n.ts'

export const automationWords = words({
  title: ['O que aconteceu?', 'What happened?', '¿Qué pasó?', 'Ne oldu?'],
  none: [
    'Nada aconteceu automaticamente neste atendimento.',
    'Nothing happened automatically in this ticket.',
    'Nada ocurrió automáticamente en este ticket.',
    'Bu talepte otomatik bir şey olmadı.',
  ],
  earlier: ['Mostrar o que veio antes', 'Show earlier steps', 'Mostrar lo anterior', 'Öncekileri göster'],
  rule: ['Regra {rule}', 'Rule {rule}', 'Regla {rule}', 'Kural {rule}'],
  answered: ['O cliente respondeu', 'The customer replied', 'El cliente respondió', 'Müşteri yanıtladı'],
  wrote: ['O cliente escreveu', 'The customer wrote', 'El cliente escribió', 'Müşteri yazdı'],
  taken: ['entendido como {n} · {name}', 'understood as {n} · {name}', 'entendido como {n} · {name}', '{n} · {name} olarak anlaşıldı'],
  sent: ['Foi enviado', 'What was sent', 'Se envió', 'Gönderilen'],
  text: ['Texto (sha256)', 'Text (sha256)', 'Texto (sha256)', 'Metin (sha256)'],
  file: ['arquivo', 'file', 'archivo', 'dosya'],
  toQueue: ['Fila: {name}', 'Queue: {name}', 'Cola: {name}', 'Kuyruk: {name}'],
  toUser: ['Espera por {name}', 'Waiting for {name}', 'Espera a {name}', '{name} bekleniyor'],
  toLane: ['Coluna: {name}', 'Column: {name}', 'Columna: {name}', 'Sütun: {name}'],
  next: ['O que vem a seguir', 'What comes next', 'Lo que sigue', 'Sırada ne var'],
  nothingNext: ['Aguarda um atendente.', 'Waiting for an agent.', 'Espera a un agente.', 'Bir temsilci bekleniyor.'],
})

/** Reason of an automatic step, in one sentence. Each reason of the bot has its own text. */
export const reasonWords = words({
  noQueue: [
    'Saudou: esta conexão não oferece filas',
    'Greeted: this connection offers no queues',
    'Saludó: esta conexión no ofrece colas',
    'Karşıladı: bu bağlantının kuyruğu yok',
  ],
  onlyQueue: [
    'Foi para a única fila da conexão',
    'Went to the connection’s only queue',
    'Fue a la única cola de la conexión',
    'Bağlantının tek kuyruğuna gitti',
  ],
  queueMenu: ['Perguntou pela fila', 'Asked for the queue', 'Preguntó por la cola', 'Kuyruğu sordu'],
  queueChosen: ['O cliente escolheu a fila', 'The customer chose the queue', 'El cliente eligió la cola', 'Müşteri kuyruğu seçti'],
  optionMenu: ['Mostrou as opções', 'Showed the options', 'Mostró las opciones', 'Seçenekleri gösterdi'],
  optionChosen: [
    'O cliente escolheu uma opção',
    'The customer chose an option',
    'El cliente eligió una opción',
    'Müşteri bir seçenek seçti',
  ],
  onlyOption: [
    'Passou pela única opção sem perguntar',
    'Took the only option without asking',
    'Pasó por la única opción sin preguntar',
    'Tek seçeneği sormadan geçti',
  ],
  back: ['O cliente voltou um nível', 'The customer went one level up', 'El cliente volvió un nivel', 'Müşteri bir düzey geri döndü'],
  first: [
    'O cliente voltou ao primeiro menu',
    'The customer went back to the first menu',
    'El cliente volvió al primer menú',
    'Müşteri ilk menüye döndü',
  ],
  restarted: [
    'Recomeçou: o menu respondido já não existe',
    'Started again: the menu that was answered no longer exists',
    'Empezó de nuevo: el menú respondido ya no existe',
    'Yeniden başladı: yanıtlanan menü artık yok',
  ],
  wrongAnswer: [
    'A resposta não era nenhuma das opções: perguntou de novo',
    'The reply was none of the options: asked again',
    'La respuesta no era ninguna de las opciones: preguntó de nuevo',
    'Yanıt seçeneklerden biri değildi: yeniden sordu',
  ],
  tooManyMenus: [
    'Menus demais sem resposta válida: um atendente assume',
    'Too many menus without a valid reply: an agent takes over',
    'Demasiados menús sin respuesta válida: ahora atiende un agente',
    'Geçerli yanıt olmadan çok fazla menü: bir temsilci devralıyor',
  ],
  tooManyQueues: [
    'Mudou de fila vezes demais em uma hora: um atendente assume',
    'Changed queues too often within an hour: an agent takes over',
    'Cambió de cola demasiadas veces en una hora: ahora atiende un agente',
    'Bir saatte çok fazla kuyruk değişti: bir temsilci devralıyor',
  ],
  tooManyTickets: [
    'O bot encerrou muitos atendimentos deste contato em uma hora: um atendente assume',
    'The bot closed many tickets of this contact within an hour: an agent takes over',
    'El bot cerró muchos tickets de este contacto en una hora: ahora atiende un agente',
    'Bot bir saatte bu kişinin birçok talebini kapattı: bir temsilci devralıyor',
  ],
  tooDeep: [
    'Níveis demais: um atendente assume',
    'Too many levels: an agent takes over',
    'Demasiados niveles: ahora atiende un agente',
    'Çok fazla düzey: bir temsilci devralıyor',
  ],
  leaf: ['O menu chegou ao fim', 'The menu ended', 'El menú llegó a su fin', 'Menü sona erdi'],
  person: [
    'A opção leva a um atendente',
    'The option leads to an agent',
    'La opción lleva a un agente',
    'Seçenek bir temsilciye götürüyor',
  ],
  noMessage: [
    'A opção não tem mensagem: o bot para aqui',
    'The option has no message: the bot stops here',
    'La opción no tiene mensaje: el bot se detiene aquí',
    'Seçeneğin mesajı yok: bot burada duruyor',
  ],
  queueMissing: [
    'A opção leva a uma fila que não existe mais',
    'The option leads to a queue that no longer exists',
    'La opción lleva a una cola que ya no existe',
    'Seçenek artık var olmayan bir kuyruğa götürüyor',
  ],
  information: [
    'A fila só informa: encerrou',
    'The queue is information only: closed',
    'La cola solo informa: cerró',
    'Kuyruk yalnızca bilgi verir: kapatıldı',
  ],
  files: ['Enviou os arquivos', 'Sent the files', 'Envió los archivos', 'Dosyaları gönderdi'],
  integration: ['Passou à integração', 'Handed over to the integration', 'Pasó a la integración', 'Entegrasyona geçti'],
  outOfHours: ['Fora do horário de atendimento', 'Outside service hours', 'Fuera del horario de atención', 'Mesai saatleri dışında'],
  vacation: ['Férias coletivas', 'Collective vacation', 'Vacaciones colectivas', 'Toplu tatil'],
  audio: ['Áudios não são aceitos', 'Voice messages are not accepted', 'No se aceptan audios', 'Sesli mesaj kabul edilmiyor'],
  botDisabled: [
    'O bot está desligado para este contato',
    'The bot is off for this contact',
    'El bot está desactivado para este contacto',
    'Bot bu kişi için kapalı',
  ],
  group: ['O bot não responde em grupos', 'The bot does not reply in groups', 'El bot no responde en grupos', 'Bot gruplarda yanıt vermez'],
  position: ['Informou o lugar na fila', 'Sent the position in the queue', 'Informó el lugar en la cola', 'Kuyruktaki sırayı bildirdi'],
  bot: ['O menu levou a um atendente', 'The menu led to an agent', 'El menú llevó a un agente', 'Menü bir temsilciye götürdü'],
  wallet: [
    'Quem já atendeu este cliente',
    'The agent who served this customer before',
    'Quien ya atendió a este cliente',
    'Bu müşteriye daha önce bakan kişi',
  ],
  random: [
    'Sorteio entre quem está disponível',
    'Drawn from the available agents',
    'Sorteo entre quienes están disponibles',
    'Uygun olanlar arasından kura',
  ],
  rotation: ['Rodízio da fila', 'Queue rotation', 'Rotación de la cola', 'Kuyrukta sırayla dağıtım'],
  ConsentRequested: [
    'Informou o cliente sobre o uso de seus dados',
    'Informed the customer about the use of their data',
    'Informó al cliente sobre el uso de sus datos',
    'Müşteriyi verilerinin kullanımı hakkında bilgilendirdi',
  ],
  ConsentGiven: [
    'O cliente aceitou o uso de seus dados',
    'The customer accepted the use of their data',
    'El cliente aceptó el uso de sus datos',
    'Müşteri verilerinin kullanımını kabul etti',
  ],
  ConsentRefused: [
    'O cliente não aceitou o uso de seus dados: encerrou',
    'The customer did not accept the use of their data: closed',
    'El cliente no aceptó el uso de sus datos: cerró',
    'Müşteri verilerinin kullanımını kabul etmedi: kapatıldı',
  ],
  TicketClosed: [
    'Encerrado por falta de resposta',
    'Closed for lack of a reply',
    'Cerrado por falta de respuesta',
    'Yanıt gelmediği için kapatıldı',
  ],
  expired: [
    'Encerrado por falta de resposta',
    'Closed for lack of a reply',
    'Cerrado por falta de respuesta',
    'Yanıt gelmediği için kapatıldı',
  ],
  RatingRequested: [
    'Vai pedir uma avaliação ao cliente',
    'Will request a rating from the customer',
    'Pedirá una calificación al cliente',
    'Müşteriden değerlendirme isteyecek',
  ],
  RatingMissed: ['O cliente não avaliou', 'The customer gave no rating', 'El cliente no dio calificación', 'Müşteri değerlendirmedi'],
  rated: [
    'O cliente avaliou: encerrou',
    'The customer gave a rating: closed',
    'El cliente dio la calificación: cerró',
    'Müşteri değerlendirdi: kapatıldı',
  ],
  unrated: [
    'O cliente não avaliou: encerrou',
    'The customer gave no rating: closed',
    'El cliente no dio calificación: cerró',
    'Müşteri değerlendirmedi: kapatıldı',
  ],
  consentRefused: [
    'O cliente não aceitou o uso de seus dados: encerrou',
    'The customer did not accept the use of their data: closed',
    'El cliente no aceptó el uso de sus datos: cerró',
    'Müşteri verilerinin kullanımını kabul etmedi: kapatıldı',
  ],
  TicketReturned: [
    'Não há mais o que aceitar: aguarda um atendente',
    'There is nothing left to accept: waiting for an agent',
    'Ya no hay nada que aceptar: espera a un agente',
    'Artık kabul edilecek bir şey yok: temsilci bekliyor',
  ],
  TicketReopened: [
    'O cliente escreveu antes de a avaliação ser pedida: o atendimento continua',
    'The customer wrote before the rating was requested: the ticket continues',
    'El cliente escribió antes de que se pidiera la calificación: el ticket continúa',
    'Müşteri değerlendirme istenmeden yazdı: talep sürüyor',
  ],
  TicketResumed: [
    'O cliente escreveu logo depois do encerramento: o atendimento continua',
    'The customer wrote soon after closing: the ticket continues',
    'El cliente escribió poco después del cierre: el ticket continúa',
    'Müşteri kapanıştan hemen sonra yazdı: talep sürüyor',
  ],
  TicketRedirected: [
    'Esperou demais sem fila: foi para a fila de redirecionamento',
    'Waited too long without a queue: went to the redirect queue',
    'Esperó demasiado sin cola: fue a la cola de redirección',
    'Kuyruksuz çok bekledi: yönlendirme kuyruğuna gitti',
  ],
  InactivityWarned: [
    'Avisou o cliente, que não responde',
    'Warned the customer, who is not replying',
    'Avisó al cliente, que no responde',
    'Yanıt vermeyen müşteriyi uyardı',
  ],
  laneTime: [
    'O tempo na coluna acabou: passou para a seguinte',
    'Its time in the column ran out: moved to the next',
    'Se acabó el tiempo en la columna: pasó a la siguiente',
    'Sütundaki süresi doldu: sonrakine geçti',
  ],
  laneBack: [
    'O cliente escreveu: o atendimento voltou à coluna indicada',
    'The customer wrote: the ticket moved to its return column',
    'El cliente escribió: el ticket volvió a la columna indicada',
    'Müşteri yazdı: talep geri dönüş sütununa taşındı',
  ],
  unavailable: [
    'O atendente esperado não está disponível: aguarda o primeiro atendente livre',
    'The expected agent is not available: waiting for the next free agent',
    'El agente al que esperaba no está disponible: espera al primer agente libre',
    'Beklenen temsilci uygun değil: ilk uygun temsilci bekleniyor',
  ],
  greetingAccepted: [
    'Saudou o cliente no início do atendimento',
    'Greeted the customer as the ticket was accepted',
    'Saludó al cliente al aceptarse el ticket',
    'Talep kabul edilince müşteriyi karşıladı',
  ],
  farewell: ['Despediu-se do cliente', 'Sent the farewell to the customer', 'Se despidió del cliente', 'Müşteriye veda mesajı gönderdi'],
  transferText: [
    'Avisou o cliente da transferência',
    'Informed the customer about the transfer',
    'Avisó al cliente de la transferencia',
    'Müşteriye aktarmayı bildirdi',
  ],
  call: ['Chamadas não são aceitas', 'Calls are not accepted', 'No se aceptan llamadas', 'Arama kabul edilmiyor'],
  other: ['Uma regra agiu', 'A rule acted', 'Actuó una regla', 'Bir kural işledi'],
} satisfies Record<Reason, Translations> & Record<string, Translations>)

/** Why a notice was not sent, by its reason. Its text was empty when the rule acted. */
export const silenceWords = words({
  outOfHours: [
    'Nada foi enviado: o texto fora do horário, da conexão ou da fila, está vazio.',
    'Nothing was sent: the out-of-hours text of the connection or the queue is empty.',
    'No se envió nada: el texto fuera de horario, de la conexión o de la cola, está vacío.',
    'Hiçbir şey gönderilmedi: bağlantının ya da kuyruğun mesai dışı metni boş.',
  ],
  vacation: [
    'Nada foi enviado: o texto das férias coletivas, na conexão, está vazio.',
    'Nothing was sent: the vacation text of the connection is empty.',
    'No se envió nada: el texto de vacaciones colectivas de la conexión está vacío.',
    'Hiçbir şey gönderilmedi: bağlantının toplu tatil metni boş.',
  ],
} satisfies Partial<Record<Reason, Translations>>)
/** The key of that text; null: the reason sends no notice. */
export const silenceOf = (reason: string): keyof typeof silenceWords | null =>
  reason in silenceWords ? (reason as keyof typeof silenceWords) : null

/** The text of a reason; a reason without a text gets a general one. */
export const reasonText = (t: Translate<keyof typeof reasonWords>, reason: string): string =>
  t(reason in reasonWords ? (reason as keyof typeof reasonWords) : 'other')
