import { words } from '#web/i18n.ts'

export const notificationWords = words({
  title: ['Notificações', 'Notifications', 'Notificaciones', 'Bildirimler'],
  none: ['Nada novo', 'Nothing new', 'Nada nuevo', 'Yeni bir şey yok'],
  noneText: [
    'Atendimentos com mensagens não lidas aparecem aqui.',
    'Tickets with unread messages appear here.',
    'Aquí aparecen los tickets con mensajes sin leer.',
    'Okunmamış mesajı olan talepler burada görünür.',
  ],
  waiting: ['Aguardando', 'Waiting', 'En espera', 'Bekliyor'],
  newMessage: ['Nova mensagem', 'New message', 'Mensaje nuevo', 'Yeni mesaj'],
  newAssigned: ['Atendimento para você', 'Ticket for you', 'Ticket para usted', 'Size atanan talep'],
  newWaiting: ['Novo atendimento aguardando', 'New waiting ticket', 'Nuevo ticket en espera', 'Yeni bekleyen talep'],
  someone: ['Contato', 'Contact', 'Contacto', 'Kişi'],
  othersOne: ['Mais 1 atendimento com novidades', '1 more ticket with news', '1 ticket más con novedades', 'Yenilik olan 1 talep daha'],
  others: [
    'Mais {n} atendimentos com novidades',
    '{n} more tickets with news',
    '{n} tickets más con novedades',
    'Yenilik olan {n} talep daha',
  ],
})

export const soundWords = words({
  volume: ['Volume', 'Volume', 'Volumen', 'Ses düzeyi'],
  silent: ['sem som', 'silent', 'sin sonido', 'sessiz'],
  messageSound: [
    'Som de nova mensagem nos seus atendimentos',
    'Sound for a new message in your tickets',
    'Sonido de mensaje nuevo en sus tickets',
    'Taleplerinizdeki yeni mesaj sesi',
  ],
  waitingSound: [
    'Som de novo atendimento aguardando',
    'Sound for a new waiting ticket',
    'Sonido de nuevo ticket en espera',
    'Yeni bekleyen talep sesi',
  ],
  waitingOff: [
    'A empresa não avisa sobre os que aguardam.',
    'Your company does not notify about waiting tickets.',
    'Su empresa no avisa sobre los que esperan.',
    'Şirketiniz bekleyen talepleri bildirmiyor.',
  ],
  quiet: ['Horário silencioso', 'Quiet hours', 'Horario silencioso', 'Sessiz saatler'],
  quietFrom: ['Das', 'From', 'Desde', 'Başlangıç'],
  quietTo: ['até', 'to', 'hasta', 'bitiş'],
  quietHint: [
    'Sem sons nem avisos, todos os dias. Fuso da empresa: {zone}.',
    'No sounds or notices, every day. Company time zone: {zone}.',
    'Sin sonidos ni avisos, todos los días. Zona horaria de la empresa: {zone}.',
    'Her gün ses ve bildirim yok. Şirketin saat dilimi: {zone}.',
  ],
  quietWrong: [
    'Informe dois horários, como 22:00 e 07:00.',
    'Enter two times, such as 22:00 and 07:00.',
    'Indique dos horas, como 22:00 y 07:00.',
    '22:00 ve 07:00 gibi iki saat girin.',
  ],
  notices: ['Avisos do navegador', 'Browser notices', 'Avisos del navegador', 'Tarayıcı bildirimleri'],
  text: ['Com o texto da mensagem', 'With the text of the message', 'Con el texto del mensaje', 'Mesaj metniyle'],
  sender: ['Só com o nome', 'With the name only', 'Solo con el nombre', 'Yalnızca adla'],
  never: ['Nunca', 'Never', 'Nunca', 'Hiçbir zaman'],
  allow: [
    'Permitir avisos neste navegador',
    'Allow notices in this browser',
    'Permitir avisos en este navegador',
    'Bu tarayıcıda bildirimlere izin ver',
  ],
  denied: [
    'Este navegador bloqueia os avisos. Libere-os nas configurações do navegador para este endereço.',
    'This browser blocks notices. Allow them in the browser settings for this address.',
    'Este navegador bloquea los avisos. Permítalos en la configuración del navegador para esta dirección.',
    'Bu tarayıcı bildirimleri engelliyor. Tarayıcı ayarlarında bu adres için izin verin.',
  ],
  unsupported: [
    'Este navegador não mostra avisos.',
    'This browser does not show notices.',
    'Este navegador no muestra avisos.',
    'Bu tarayıcı bildirim göstermiyor.',
  ],
})
