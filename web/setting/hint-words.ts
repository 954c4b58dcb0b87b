import type { SettingKey } from '#domain/setting/contract.ts'
import { type Row, words } from '#web/i18n.ts'

/** What happens while it is on, in a sentence. */
export const hintWords = words({
  supportUrl: [
    'Um endereço https, mailto ou tel; com ele a página de conexões mostra “Chamar suporte”.',
    'An https, mailto or tel address; with it the connections page shows “Call support”.',
    'Una dirección https, mailto o tel; con ella la página de conexiones muestra «Llamar a soporte».',
    'https, mailto ya da tel adresi; bununla bağlantılar sayfasında “Desteği ara” görünür.',
  ],
  timeZone: [
    'Em que dias, horas e filtros de toda a empresa são contados, onde quer que esteja o navegador.',
    'In which days, hours and filters of the whole company are meant, wherever the browser is.',
    'En la que se cuentan días, horas y filtros de toda la empresa, esté donde esté el navegador.',
    'Tarayıcı nerede olursa olsun, tüm şirketin gün, saat ve filtreleri buna göre sayılır.',
  ],
  scheduleType: [
    'Onde os horários são definidos.',
    'Where the hours are defined.',
    'Dónde se definen los horarios.',
    'Saatlerin nerede belirlendiği.',
  ],
  userRating: [
    'Ao encerrar, o contato recebe um pedido de nota.',
    'On closing, the contact is asked for a score.',
    'Al cerrar, se pide una nota al contacto.',
    'Kapatılınca kişiden puan istenir.',
  ],
  requiredTag: [
    'Um atendimento só é encerrado se o contato tiver uma tag.',
    'A ticket is closed only if its contact has a tag.',
    'Un ticket solo se cierra si el contacto tiene una etiqueta.',
    'Talep, ancak kişinin bir etiketi varsa kapatılır.',
  ],
  closeTicketOnTransfer: [
    'A transferência encerra o atendimento e abre outro para quem o recebe.',
    'A transfer closes the ticket and opens another for who receives it.',
    'La transferencia cierra el ticket y abre otro para quien lo recibe.',
    'Aktarma talebi kapatır ve alan için yenisini açar.',
  ],
  showNotificationPending: [
    'Atendimentos aguardando entram no título da página e nos avisos.',
    'Waiting tickets count in the page title and in notifications.',
    'Los tickets en espera cuentan en el título de la página y en los avisos.',
    'Bekleyen talepler sayfa başlığında ve bildirimlerde sayılır.',
  ],
  userRandom: [
    'Novos atendimentos vão a um atendente da fila, ao acaso.',
    'New tickets go to an agent of the queue, at random.',
    'Los tickets nuevos van a un agente de la cola, al azar.',
    'Yeni talepler kuyruktaki bir temsilciye rastgele gider.',
  ],
  DirectTicketsToWallets: [
    'O contato volta a quem cuida da carteira dele.',
    'A contact comes back to whoever keeps its wallet.',
    'El contacto vuelve a quien lleva su cartera.',
    'Kişi, portföyünü tutan temsilciye döner.',
  ],
  campaignsEnabled: [
    'Se a empresa trabalha com campanhas.',
    'Whether the company works with campaigns.',
    'Si la empresa trabaja con campañas.',
    'Şirketin kampanyalarla çalışıp çalışmadığı.',
  ],
  chatBotType: ['Como o menu é escrito.', 'How the menu is written.', 'Cómo se escribe el menú.', 'Menünün nasıl yazıldığı.'],
  customerLanguage: [
    'As frases prontas do bot e do sistema para o cliente. Os textos que a empresa escreve ficam como estão.',
    'The ready-made lines of the bot and the system to customers. What the company writes stays as it is.',
    'Las frases listas del bot y del sistema para el cliente. Los textos que escribe la empresa quedan como están.',
    'Botun ve sistemin müşteriye hazır cümleleri. Şirketin yazdığı metinler olduğu gibi kalır.',
  ],
  sendSignMessage: [
    'O nome de quem escreve vai antes da mensagem; cada um pode deixar de assinar.',
    'The name of who writes goes before the message; each may leave it out.',
    'El nombre de quien escribe va antes del mensaje; cada uno puede no firmar.',
    'Yazanın adı mesajın önüne gelir; isteyen imzasız gönderebilir.',
  ],
  sendGreetingAccepted: [
    'Quando um atendente aceita quem aguardava, o contato recebe este texto.',
    'When an agent accepts one that waited, the contact receives this text.',
    'Cuando un agente acepta a quien esperaba, el contacto recibe este texto.',
    'Temsilci bekleyeni kabul edince kişiye bu metin gider.',
  ],
  greetingAcceptedMessage: [
    '{nome} vira o nome do contato.',
    '{nome} becomes the contact’s name.',
    '{nome} se convierte en el nombre del contacto.',
    '{nome} kişinin adına dönüşür.',
  ],
  sendMsgTransfTicket: [
    'O contato é avisado de que foi para outra fila.',
    'The contact is told of having gone to another queue.',
    'Se avisa al contacto que pasó a otra cola.',
    'Kişiye başka kuyruğa geçtiği bildirilir.',
  ],
  transferMessage: [
    '{fila} vira o nome da fila.',
    '{fila} becomes the name of the queue.',
    '{fila} se convierte en el nombre de la cola.',
    '{fila} kuyruğun adına dönüşür.',
  ],
  sendFarewellWaitingTicket: [
    'A mensagem de despedida vai também a quem foi encerrado sem ter sido aceito.',
    'The farewell also goes to whoever was closed without having been accepted.',
    'La despedida va también a aquellos cuyo ticket se cerró sin haber sido aceptado.',
    'Veda mesajı kabul edilmeden kapatılanlara da gider.',
  ],
  sendGreetingMessageOneQueues: [
    'A saudação vai mesmo quando a conexão tem uma só fila.',
    'The greeting goes out even where the connection has one queue only.',
    'El saludo sale aunque la conexión tenga una sola cola.',
    'Bağlantının tek kuyruğu olsa da selamlama gider.',
  ],
  sendQueuePosition: [
    'Quem aguarda fica sabendo quantos estão à frente.',
    'Who waits is told how many are ahead.',
    'Quien espera sabe cuántos hay delante.',
    'Bekleyen, önünde kaç kişi olduğunu öğrenir.',
  ],
  acceptAudioMessageContact: [
    'Desligado, quem manda um áudio é avisado de que ele não é aceito.',
    'When off, who sends audio is told that it is not accepted.',
    'Desactivado, a quien envía un audio se le avisa que no se acepta.',
    'Kapalıyken, ses gönderene kabul edilmediği bildirilir.',
  ],
  acceptCallWhatsapp: [
    'Desligado, quem liga recebe uma resposta por escrito.',
    'When off, who calls receives an answer in writing.',
    'Desactivado, quien llama recibe una respuesta por escrito.',
    'Kapalıyken, arayana yazılı yanıt gider.',
  ],
  enableLGPD: [
    'Vale para as opções abaixo.',
    'Holds for the options below.',
    'Vale para las opciones siguientes.',
    'Aşağıdaki seçenekler için geçerlidir.',
  ],
  lgpdHideNumber: [
    'Quem não é administrador vê os números com o meio oculto.',
    'Whoever is no administrator sees numbers with the middle hidden.',
    'Quien no es administrador ve los números con el medio oculto.',
    'Yönetici olmayanlar numaraların ortasını göremez.',
  ],
  lgpdDeleteMessage: [
    'Desligado, os atendentes ainda leem o que o contato apagou, marcado como apagado.',
    'When off, agents still read what the contact deleted, marked as deleted.',
    'Desactivado, los agentes aún leen lo que el contacto borró, marcado como borrado.',
    'Kapalıyken temsilciler, kişinin sildiğini silinmiş olarak okumaya devam eder.',
  ],
  lgpdConsent: [
    'O atendimento só segue depois que o contato aceitar.',
    'The ticket goes on only after the contact agrees.',
    'El ticket solo sigue cuando el contacto acepta.',
    'Talep, kişi kabul edince ilerler.',
  ],
  lgpdMessage: [
    'Enviado na primeira mensagem do contato.',
    'Sent at the contact’s first message.',
    'Se envía en el primer mensaje del contacto.',
    'Kişinin ilk mesajında gönderilir.',
  ],
  userCreation: [
    'Se quem não tem conta pode criar uma empresa.',
    'Whether somebody without an account may make a company.',
    'Si quien no tiene cuenta puede crear una empresa.',
    'Hesabı olmayan birinin şirket oluşturup oluşturamayacağı.',
  ],
} satisfies Partial<Record<SettingKey, Row>>)
