import type { Reason } from '#domain/flow/step.ts'
import { type Translate, type Translations, words } from '#web/i18n.ts'

export const automationWords = words({
  title: ['O que aconteceu?', 'What happened?', '¿Qué pasó?', 'Ne oldu?'],
  none: [
    'Nada aconteceu sozinho neste atendimento.',
    'Nothing happened by itself in this ticket.',
    'Nada ocurrió por sí solo en esta atención.',
    'Bu talepte kendiliğinden bir şey olmadı.',
  ],
  earlier: ['Mostrar o que veio antes', 'Show what came before', 'Mostrar lo anterior', 'Öncekileri göster'],
  rule: ['Regra {rule}', 'Rule {rule}', 'Regla {rule}', 'Kural {rule}'],
  answered: ['O cliente respondeu', 'The customer answered', 'El cliente respondió', 'Müşteri yanıtladı'],
  wrote: ['O cliente escreveu', 'The customer wrote', 'El cliente escribió', 'Müşteri yazdı'],
  taken: ['entendido como {n} · {name}', 'taken for {n} · {name}', 'entendido como {n} · {name}', '{n} · {name} olarak anlaşıldı'],
  sent: ['Foi enviado', 'What was sent', 'Se envió', 'Gönderilen'],
  text: ['Texto (sha256)', 'Text (sha256)', 'Texto (sha256)', 'Metin (sha256)'],
  file: ['arquivo', 'file', 'archivo', 'dosya'],
  toQueue: ['Fila: {name}', 'Queue: {name}', 'Cola: {name}', 'Kuyruk: {name}'],
  toUser: ['Espera por {name}', 'Waits for {name}', 'Espera a {name}', '{name} bekleniyor'],
  toLane: ['Coluna: {name}', 'Column: {name}', 'Columna: {name}', 'Sütun: {name}'],
  next: ['O que vem a seguir', 'What comes next', 'Lo que sigue', 'Sırada ne var'],
  nothingNext: ['Espera por pessoas.', 'It waits for people.', 'Espera a las personas.', 'İnsanları bekliyor.'],
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
    'Passed the only option without asking',
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
    'Began anew: the menu that was answered is no more',
    'Empezó de nuevo: el menú respondido ya no existe',
    'Yeniden başladı: yanıtlanan menü artık yok',
  ],
  wrongAnswer: [
    'A resposta não era nenhuma das opções: perguntou de novo',
    'The answer was none of the options: asked again',
    'La respuesta no era ninguna de las opciones: preguntó de nuevo',
    'Yanıt seçeneklerden biri değildi: yeniden sordu',
  ],
  tooManyMenus: [
    'Menus demais sem resposta certa: agora é com as pessoas',
    'Too many menus without a right answer: people take over',
    'Demasiados menús sin respuesta correcta: ahora atienden personas',
    'Doğru yanıt olmadan çok fazla menü: sıra insanlarda',
  ],
  tooManyQueues: [
    'Mudou de fila vezes demais em uma hora: agora é com as pessoas',
    'Changed queues too often within an hour: people take over',
    'Cambió de cola demasiadas veces en una hora: ahora atienden personas',
    'Bir saatte çok fazla kuyruk değişti: sıra insanlarda',
  ],
  tooManyTickets: [
    'O bot encerrou muitos atendimentos deste contato em uma hora: agora é com as pessoas',
    'The bot closed many tickets of this contact within an hour: people take over',
    'El bot cerró muchas atenciones de este contacto en una hora: ahora atienden personas',
    'Bot bir saatte bu kişinin çok talebini kapattı: sıra insanlarda',
  ],
  tooDeep: [
    'Níveis demais: agora é com as pessoas',
    'Too many levels: people take over',
    'Demasiados niveles: ahora atienden personas',
    'Çok fazla düzey: sıra insanlarda',
  ],
  leaf: ['O menu chegou ao fim', 'The menu came to its end', 'El menú llegó a su fin', 'Menü sona erdi'],
  person: ['A opção leva a uma pessoa', 'The option leads to a person', 'La opción lleva a una persona', 'Seçenek bir kişiye götürüyor'],
  noMessage: [
    'A opção não tem mensagem: o bot para aqui',
    'The option has no message: the bot stops here',
    'La opción no tiene mensaje: el bot se detiene aquí',
    'Seçeneğin mesajı yok: bot burada duruyor',
  ],
  queueMissing: [
    'A opção leva a uma fila que não existe mais',
    'The option leads to a queue that is no more',
    'La opción lleva a una cola que ya no existe',
    'Seçenek artık var olmayan bir kuyruğa götürüyor',
  ],
  information: [
    'A fila só informa: encerrou',
    'The queue only informs: closed',
    'La cola solo informa: cerró',
    'Kuyruk yalnızca bilgi verir: kapatıldı',
  ],
  files: ['Enviou os arquivos', 'Sent the files', 'Envió los archivos', 'Dosyaları gönderdi'],
  integration: ['Passou à integração', 'Handed over to the integration', 'Pasó a la integración', 'Entegrasyona geçti'],
  outOfHours: ['Fora do horário de atendimento', 'Outside service hours', 'Fuera del horario de atención', 'Hizmet saatleri dışında'],
  vacation: ['Férias coletivas', 'Collective vacation', 'Vacaciones colectivas', 'Toplu tatil'],
  audio: ['Áudios não são aceitos', 'Voice messages are not taken', 'No se aceptan audios', 'Sesli mesaj kabul edilmiyor'],
  botDisabled: [
    'O bot está desligado para este contato',
    'The bot is off for this contact',
    'El bot está desactivado para este contacto',
    'Bot bu kişi için kapalı',
  ],
  group: ['Um grupo é das pessoas', 'A group is for people', 'Un grupo es de las personas', 'Grup insanlara aittir'],
  position: ['Disse o lugar na fila', 'Told the place in the queue', 'Dijo el lugar en la cola', 'Kuyruktaki sırayı bildirdi'],
  bot: ['O menu levou a uma pessoa', 'The menu led to a person', 'El menú llevó a una persona', 'Menü bir kişiye götürdü'],
  wallet: [
    'Quem já atendeu este cliente',
    'Who served this customer before',
    'Quien ya atendió a este cliente',
    'Bu müşteriye daha önce bakan kişi',
  ],
  random: [
    'Sorteio entre quem está disponível',
    'Drawn among who is available',
    'Sorteo entre quienes están disponibles',
    'Uygun olanlar arasından kura',
  ],
  rotation: ['Rodízio da fila', 'Rotation of the queue', 'Rotación de la cola', 'Kuyruk nöbeti'],
  ConsentRequested: [
    'Informou o cliente sobre o uso de seus dados',
    'Told the customer about the use of their data',
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
    'Closed for want of an answer',
    'Cerrado por falta de respuesta',
    'Yanıt gelmediği için kapatıldı',
  ],
  expired: [
    'Encerrado por falta de resposta',
    'Closed for want of an answer',
    'Cerrado por falta de respuesta',
    'Yanıt gelmediği için kapatıldı',
  ],
  RatingRequested: [
    'Vai pedir uma nota ao cliente',
    'Will ask the customer for a rating',
    'Pedirá una calificación al cliente',
    'Müşteriden puan isteyecek',
  ],
  RatingMissed: ['O cliente não deu nota', 'The customer gave no rating', 'El cliente no dio calificación', 'Müşteri puan vermedi'],
  rated: [
    'O cliente deu a nota: encerrou',
    'The customer gave a rating: closed',
    'El cliente dio la calificación: cerró',
    'Müşteri puan verdi: kapatıldı',
  ],
  unrated: [
    'O cliente não deu nota: encerrou',
    'The customer gave no rating: closed',
    'El cliente no dio calificación: cerró',
    'Müşteri puan vermedi: kapatıldı',
  ],
  consentRefused: [
    'O cliente não aceitou o uso de seus dados: encerrou',
    'The customer did not accept the use of their data: closed',
    'El cliente no aceptó el uso de sus datos: cerró',
    'Müşteri verilerinin kullanımını kabul etmedi: kapatıldı',
  ],
  TicketReturned: [
    'Não há mais o que aceitar: aguarda atendimento',
    'There is nothing to accept any more: waits for people',
    'Ya no hay nada que aceptar: espera atención',
    'Artık kabul edilecek bir şey yok: temsilci bekliyor',
  ],
  TicketReopened: [
    'O cliente escreveu antes de a nota ser pedida: o atendimento continua',
    'The customer wrote before the rating was asked for: the ticket goes on',
    'El cliente escribió antes de que se pidiera la calificación: la atención continúa',
    'Müşteri puan istenmeden yazdı: talep sürüyor',
  ],
  TicketResumed: [
    'O cliente escreveu logo depois do fim: o atendimento continua',
    'The customer wrote soon after the end: the ticket goes on',
    'El cliente escribió poco después del fin: la atención continúa',
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
    'Warned the customer, who does not answer',
    'Avisó al cliente, que no responde',
    'Yanıt vermeyen müşteriyi uyardı',
  ],
  laneTime: [
    'O tempo na coluna acabou: passou para a seguinte',
    'Its time in the column was over: moved on to the next',
    'Se acabó el tiempo en la columna: pasó a la siguiente',
    'Sütundaki süresi doldu: sonrakine geçti',
  ],
  laneBack: [
    'O cliente escreveu: o atendimento voltou de coluna',
    'The customer wrote: the ticket went back a column',
    'El cliente escribió: la atención volvió de columna',
    'Müşteri yazdı: talep geri sütununa döndü',
  ],
  unavailable: [
    'Por quem esperava não está disponível: espera por quem vier',
    'Whom it waited for is not available: it waits for whoever comes',
    'A quien esperaba no está disponible: espera a quien venga',
    'Beklediği kişi uygun değil: gelecek kişiyi bekliyor',
  ],
  greetingAccepted: [
    'Saudou o cliente no início do atendimento',
    'Greeted the customer as the ticket was accepted',
    'Saludó al cliente al aceptarse la atención',
    'Talep kabul edilince müşteriyi karşıladı',
  ],
  farewell: ['Despediu-se do cliente', 'Said farewell to the customer', 'Se despidió del cliente', 'Müşteriyle vedalaştı'],
  transferText: [
    'Avisou o cliente da transferência',
    'Told the customer of the transfer',
    'Avisó al cliente de la transferencia',
    'Müşteriye aktarmayı bildirdi',
  ],
  call: ['Chamadas não são aceitas', 'Calls are not taken', 'No se aceptan llamadas', 'Arama kabul edilmiyor'],
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
