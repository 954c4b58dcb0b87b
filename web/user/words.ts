import { words } from '#web/i18n.ts'

export const userWords = words({
  picture: ['Sua foto', 'Your picture', 'Su foto', 'Fotoğrafınız'],
  image: ['Imagem', 'Image', 'Imagen', 'Görüntü'],
  pictureHint: [
    'JPEG, PNG, WebP ou GIF de até 16 MB. Fica o centro da imagem, e os colegas a veem no lugar das suas iniciais.',
    'JPEG, PNG, WebP or GIF, up to 16 MB. The middle of it is used, and colleagues see it instead of your initials.',
    'JPEG, PNG, WebP o GIF de hasta 16 MB. Se usa el centro de la imagen, y sus colegas la ven en lugar de sus iniciales.',
    '16 MB’a kadar JPEG, PNG, WebP veya GIF. Görüntünün ortası kullanılır; iş arkadaşlarınız baş harfleriniz yerine onu görür.',
  ],
  notPicture: [
    '{name} não é uma imagem JPEG, PNG, WebP ou GIF',
    '{name} is not a JPEG, PNG, WebP or GIF picture',
    '{name} no es una imagen JPEG, PNG, WebP o GIF',
    '{name} bir JPEG, PNG, WebP veya GIF görüntüsü değil',
  ],
  pictureUnread: [
    '{name} não pôde ser lida como imagem',
    '{name} could not be read as a picture',
    '{name} no se pudo leer como imagen',
    '{name} görüntü olarak okunamadı',
  ],
})

/** The fields of a user, as forms and the list of changes call them. */
export const fieldsOfUser = words({
  name: ['Nome', 'Name', 'Nombre', 'Ad'],
  email: ['E-mail', 'E-mail', 'Correo electrónico', 'E-posta'],
  password: ['Senha', 'Password', 'Contraseña', 'Parola'],
  profile: ['Perfil', 'Profile', 'Perfil', 'Profil'],
  queueIds: ['Filas', 'Queues', 'Colas', 'Kuyruklar'],
  whatsappId: ['Conexão padrão', 'Default connection', 'Conexión predeterminada', 'Varsayılan bağlantı'],
  startWork: ['Início do expediente', 'Working hours from', 'Inicio del horario', 'Mesai başlangıcı'],
  endWork: ['Fim do expediente', 'Working hours until', 'Fin del horario', 'Mesai bitişi'],
  farewellMessage: ['Mensagem de despedida', 'Farewell message', 'Mensaje de despedida', 'Veda mesajı'],
  color: ['Cor', 'Color', 'Color', 'Renk'],
  defaultTheme: ['Tema', 'Theme', 'Tema', 'Tema'],
  defaultMenu: ['Menu lateral', 'Side menu', 'Menú lateral', 'Yan menü'],
  language: ['Idioma', 'Language', 'Idioma', 'Dil'],
  allTicket: ['Ver atendimentos sem fila', 'See tickets without a queue', 'Ver tickets sin cola', 'Kuyruksuz talepleri görür'],
  allowGroup: ['Atender grupos', 'Serve groups', 'Atender grupos', 'Grupları yanıtlar'],
  allHistoric: [
    'Ver o histórico de todas as filas',
    'See the history of all queues',
    'Ver el historial de todas las colas',
    'Tüm kuyrukların geçmişini görür',
  ],
  allUserChat: [
    'Ver atendimentos dos colegas',
    'See colleagues’ tickets',
    'Ver tickets de los colegas',
    'İş arkadaşlarının taleplerini görür',
  ],
  userClosePendingTicket: [
    'Ignorar atendimentos em espera',
    'Ignore waiting tickets',
    'Ignorar tickets en espera',
    'Bekleyen talepleri yok sayabilir',
  ],
  showDashboard: ['Ver painel e relatórios', 'See dashboard and reports', 'Ver panel e informes', 'Gösterge paneli ve raporlar'],
  allowRealTime: ['Ver o painel em tempo real', 'See the real-time panel', 'Ver el panel en tiempo real', 'Canlı paneli görür'],
  allowConnections: ['Gerenciar conexões', 'Manage connections', 'Gestionar conexiones', 'Bağlantıları yönetir'],
  allowAudit: ['Auditar históricos', 'Audit histories', 'Auditar historiales', 'Geçmişleri denetler'],
})
