import { words } from '#web/i18n.ts'

export const menuWords = words({
  inbox: ['Atendimentos', 'Inbox', 'Atención', 'Gelen kutusu'],
  histories: ['Auditoria', 'Audit', 'Auditoría', 'Denetim'],
  history: ['Histórico do atendimento', 'Ticket history', 'Historial del ticket', 'Talep geçmişi'],
  contacts: ['Contatos', 'Contacts', 'Contactos', 'Kişiler'],
  quickReplies: ['Respostas rápidas', 'Quick replies', 'Respuestas rápidas', 'Hızlı yanıtlar'],
  tags: ['Tags', 'Tags', 'Etiquetas', 'Etiketler'],
  queues: ['Filas', 'Queues', 'Colas', 'Kuyruklar'],
  security: ['Registro de segurança', 'Security log', 'Registro de seguridad', 'Güvenlik kaydı'],
  sandbox: ['Celular de testes', 'Test phone', 'Teléfono de pruebas', 'Test telefonu'],
})
export type MenuWord = keyof typeof menuWords

export const groupWords = words({
  attend: ['Atender', 'Attend', 'Atender', 'Karşıla'],
  talk: ['Conversar', 'Talk', 'Conversar', 'Konuş'],
  administer: ['Administrar', 'Administer', 'Administrar', 'Yönet'],
})

export const shellWords = words({
  skip: ['Ir para o conteúdo', 'Skip to content', 'Ir al contenido', 'İçeriğe geç'],
  menu: ['Menu', 'Menu', 'Menú', 'Menü'],
  fold: ['Recolher menu', 'Collapse menu', 'Contraer menú', 'Menüyü daralt'],
  unfold: ['Expandir menu', 'Expand menu', 'Expandir menú', 'Menüyü genişlet'],
  unreadOne: [
    '1 atendimento seu com mensagens não lidas',
    '1 ticket of yours with unread messages',
    '1 atención suya con mensajes sin leer',
    'Okunmamış mesajı olan 1 talebiniz',
  ],
  unread: [
    '{n} atendimentos seus com mensagens não lidas',
    '{n} tickets of yours with unread messages',
    '{n} atenciones suyas con mensajes sin leer',
    'Okunmamış mesajı olan {n} talebiniz',
  ],
  greeting: [
    'Olá, {name}. Boas-vindas à {company}',
    'Hello, {name}. Welcome to {company}',
    'Hola, {name}. Bienvenido a {company}',
    'Merhaba {name}, {company} alanına hoş geldiniz',
  ],
  due: ['Ativo até {date}', 'Active until {date}', 'Activo hasta {date}', '{date} tarihine kadar etkin'],
  dueSoon: ['Vence em {days} dias', 'Due in {days} days', 'Vence en {days} días', '{days} gün içinde sona eriyor'],
  dueTomorrow: ['Vence amanhã', 'Due tomorrow', 'Vence mañana', 'Yarın sona eriyor'],
  dueToday: ['Vence hoje', 'Due today', 'Vence hoy', 'Bugün sona eriyor'],
  language: ['Idioma', 'Language', 'Idioma', 'Dil'],
  theme: ['Tema', 'Theme', 'Tema', 'Tema'],
  light: ['Tema claro', 'Light theme', 'Tema claro', 'Açık tema'],
  dark: ['Tema escuro', 'Dark theme', 'Tema oscuro', 'Koyu tema'],
  account: ['Sua conta', 'Your account', 'Su cuenta', 'Hesabınız'],
  admin: ['Administrador', 'Administrator', 'Administrador', 'Yönetici'],
  agent: ['Atendente', 'Agent', 'Agente', 'Temsilci'],
  signOut: ['Sair', 'Sign out', 'Salir', 'Çıkış yap'],
  shortcuts: ['Atalhos do teclado', 'Keyboard shortcuts', 'Atajos de teclado', 'Klavye kısayolları'],
  shortcutsOn: ['Usar atalhos do teclado', 'Use keyboard shortcuts', 'Usar atajos de teclado', 'Klavye kısayollarını kullan'],
  shortcutsHint: [
    'Com uma conversa aberta, o que se digita vai para a mensagem.',
    'With a conversation open, what you type goes into the message.',
    'Con una conversación abierta, lo que se escribe va al mensaje.',
    'Bir görüşme açıkken yazdıklarınız mesaja gider.',
  ],
  find: ['Buscar ou ir para…', 'Search or go to…', 'Buscar o ir a…', 'Ara ya da git…'],
  offline: [
    'Sem conexão. Tudo continua legível; o que você enviar sai quando ela voltar.',
    'No connection. Everything stays readable; what you send leaves when it is back.',
    'Sin conexión. Todo sigue legible; lo que envíe saldrá cuando vuelva.',
    'Bağlantı yok. Her şey okunabilir kalır; gönderdikleriniz bağlantı gelince çıkar.',
  ],
  reconnecting: ['Reconectando…', 'Reconnecting…', 'Reconectando…', 'Yeniden bağlanılıyor…'],
  updated: [
    'Há uma versão nova do Guichê.',
    'There is a new version of Guichê.',
    'Hay una versión nueva de Guichê.',
    'Guichê’nin yeni bir sürümü var.',
  ],
  update: ['Atualizar', 'Update', 'Actualizar', 'Güncelle'],
  later: ['Depois', 'Later', 'Después', 'Sonra'],
  noAccess: [
    'Você não tem acesso a esta página',
    'You have no access to this page',
    'No tiene acceso a esta página',
    'Bu sayfaya erişiminiz yok',
  ],
  noAccessWhy: [
    'Peça a um administrador da empresa, se precisar dela.',
    'Ask an administrator of the company if you need it.',
    'Pídalo a un administrador de la empresa si lo necesita.',
    'Gerekiyorsa şirketinizin yöneticisine başvurun.',
  ],
  notFound: ['Esta página não existe', 'This page does not exist', 'Esta página no existe', 'Böyle bir sayfa yok'],
  notFoundWhy: [
    'O endereço pode ter mudado ou estar incompleto.',
    'The address may have changed or be incomplete.',
    'La dirección pudo cambiar o estar incompleta.',
    'Adres değişmiş ya da eksik olabilir.',
  ],
  toInbox: ['Ir para os atendimentos', 'Go to the inbox', 'Ir a la atención', 'Gelen kutusuna git'],
  broken: ['Algo quebrou nesta tela', 'Something broke on this screen', 'Algo falló en esta pantalla', 'Bu ekranda bir şey bozuldu'],
  brokenWhy: [
    'O que você já salvou está salvo. Recarregar costuma resolver.',
    'What you saved is saved. Reloading usually helps.',
    'Lo que guardó está guardado. Recargar suele ayudar.',
    'Kaydettikleriniz güvende. Yenilemek çoğu zaman çözer.',
  ],
  reload: ['Recarregar', 'Reload', 'Recargar', 'Yenile'],
  elsewhere: [
    'Sua conta foi acessada em outro lugar. Esta sessão será encerrada.',
    'Your account was used elsewhere. This session ends now.',
    'Su cuenta se usó en otro lugar. Esta sesión se cerrará.',
    'Hesabınız başka bir yerde kullanıldı. Bu oturum kapatılıyor.',
  ],
  expired: [
    'A assinatura venceu em {date}',
    'The subscription expired on {date}',
    'La suscripción venció el {date}',
    'Abonelik {date} tarihinde sona erdi',
  ],
  expiredWhy: [
    'As mensagens que chegam continuam guardadas. Entre em contato com o suporte para renovar.',
    'Incoming messages are still being kept. Contact support to renew.',
    'Los mensajes entrantes se siguen guardando. Contacte con soporte para renovar.',
    'Gelen mesajlar saklanmaya devam ediyor. Yenilemek için destekle iletişime geçin.',
  ],
})

export const findWords = words({
  title: ['Buscar', 'Search', 'Buscar', 'Ara'],
  placeholder: [
    'Telas, atendimentos, contatos…',
    'Screens, tickets, contacts…',
    'Pantallas, tickets, contactos…',
    'Ekranlar, talepler, kişiler…',
  ],
  screens: ['Telas', 'Screens', 'Pantallas', 'Ekranlar'],
  actions: ['Ações', 'Actions', 'Acciones', 'İşlemler'],
  tickets: ['Atendimentos', 'Tickets', 'Tickets', 'Talepler'],
  contacts: ['Contatos', 'Contacts', 'Contactos', 'Kişiler'],
})
