import type { SecurityKind } from '#domain/security/contract.ts'
import { words } from '#web/i18n.ts'

export const securityWords = words({
  title: ['Registro de segurança', 'Security log', 'Registro de seguridad', 'Güvenlik kaydı'],
  lead: [
    'Quem entrou, quem foi barrado e quem mudou o acesso de alguém.',
    'Who came in, who was kept out, and who changed somebody’s access.',
    'Quién entró, a quién se le negó el paso y quién cambió el acceso de alguien.',
    'Kim girdi, kim geri çevrildi ve kim birinin erişimini değiştirdi.',
  ],
  noneYet: ['Nada registrado ainda', 'Nothing recorded yet', 'Aún no hay registros', 'Henüz kayıt yok'],
  noneFiltered: ['Nada com estes filtros', 'Nothing fits these filters', 'Nada coincide con estos filtros', 'Bu filtrelere uyan kayıt yok'],
  all: ['Todos os tipos', 'All kinds', 'Todos los tipos', 'Tüm türler'],
  kind: ['O que aconteceu', 'What happened', 'Qué pasó', 'Ne oldu'],
  who: ['Quem', 'Who', 'Quién', 'Kim'],
  address: ['Endereço', 'Address', 'Dirección', 'Adres'],
  detail: ['Detalhes', 'Details', 'Detalles', 'Ayrıntılar'],
  at: ['Quando', 'When', 'Cuándo', 'Ne zaman'],
  holds: [
    'Sem falhas: os {n} registros formam uma cadeia, não assinada: não prova nada contra quem tem o banco de dados.',
    'Unbroken: the {n} records form a chain, not signed: it proves nothing against who has the database.',
    'Sin fallas: los {n} registros forman una cadena, no firmada: no prueba nada frente a quien tiene la base de datos.',
    'Kesintisiz: {n} kayıt bir zincir oluşturuyor, imzalı değil: veritabanına sahip olana karşı bir şey kanıtlamaz.',
  ],
  holdsOne: [
    'Um único registro, não assinado: não prova nada contra quem tem o banco de dados.',
    'One record, not signed: it proves nothing against who has the database.',
    'Un único registro, no firmado: no prueba nada frente a quien tiene la base de datos.',
    'Tek kayıt, imzalı değil: veritabanına sahip olana karşı bir şey kanıtlamaz.',
  ],
  broken: [
    'Atenção: a cadeia se rompe no registro {record}. Ele, ou algum antes dele, foi alterado ou retirado.',
    'Attention: the chain breaks at record {record}. It, or one before it, was altered or taken away.',
    'Atención: la cadena se rompe en el registro {record}. Ese, o alguno anterior, fue alterado o retirado.',
    'Dikkat: zincir {record}. kayıtta kopuyor. O kayıt ya da ondan önceki biri değiştirilmiş veya çıkarılmış.',
  ],
  toBreak: ['Ver onde', 'Show where', 'Ver dónde', 'Yerini göster'],
  platform: ['Plataforma', 'Platform', 'Plataforma', 'Platform'],
  number: ['Nº', 'No.', 'N.º', 'No'],
})

export const kindWords = words<SecurityKind>({
  signedIn: ['Entrou', 'Signed in', 'Entró', 'Giriş yaptı'],
  signedOut: ['Saiu', 'Signed out', 'Salió', 'Çıkış yaptı'],
  signInRefused: ['Entrada recusada', 'Sign-in refused', 'Entrada rechazada', 'Giriş reddedildi'],
  signInPaused: ['Tentativas em pausa', 'Attempts paused', 'Intentos en pausa', 'Denemeler duraklatıldı'],
  sessionEnded: ['Sessão encerrada', 'Session ended', 'Sesión terminada', 'Oturum sonlandırıldı'],
  accessChanged: ['Acesso alterado', 'Access changed', 'Acceso modificado', 'Erişim değiştirildi'],
  passwordSet: ['Senha definida', 'Password set', 'Contraseña definida', 'Parola belirlendi'],
  passwordLinkMade: ['Link de senha criado', 'Password link made', 'Enlace de contraseña creado', 'Parola bağlantısı oluşturuldu'],
  exported: ['Exportou', 'Exported', 'Exportó', 'Dışa aktardı'],
  replayed: ['Abriu um histórico', 'Opened a history', 'Abrió un historial', 'Bir geçmişi açtı'],
  erased: ['Dados apagados', 'Data erased', 'Datos borrados', 'Veriler silindi'],
  keyRotated: ['Chave mestra trocada', 'Master key rotated', 'Clave maestra rotada', 'Ana anahtar değiştirildi'],
  settingChanged: ['Configuração alterada', 'Setting changed', 'Ajuste modificado', 'Ayar değiştirildi'],
  companyMade: ['Empresa criada', 'Company made', 'Empresa creada', 'Şirket oluşturuldu'],
  demoRemoved: ['Demonstração removida', 'Demonstration removed', 'Demostración eliminada', 'Gösterim kaldırıldı'],
})

/** What is told beside an entry, by its name; a name without a word here is shown as it is. */
export const detailWords = words({
  reason: ['motivo', 'reason', 'motivo', 'neden'],
  account: ['conta', 'account', 'cuenta', 'hesap'],
  format: ['formato', 'format', 'formato', 'biçim'],
  ticket: ['atendimento', 'ticket', 'atención', 'talep'],
  session: ['sessão', 'session', 'sesión', 'oturum'],
  seconds: ['segundos', 'seconds', 'segundos', 'saniye'],
  name: ['nome', 'name', 'nombre', 'ad'],
  key: ['chave', 'key', 'clave', 'anahtar'],
  user: ['usuário', 'user', 'usuario', 'kullanıcı'],
  users: ['usuários', 'users', 'usuarios', 'kullanıcılar'],
  super: ['superusuário', 'super user', 'superusuario', 'süper kullanıcı'],
  setting: ['configuração', 'setting', 'ajuste', 'ayar'],
  from: ['de', 'from', 'de', 'eski'],
  to: ['para', 'to', 'a', 'yeni'],
  by: ['por', 'by', 'por', 'yoluyla'],
  profile: ['perfil', 'profile', 'perfil', 'profil'],
})
export const valueWords = words({
  enabled: ['ligado', 'on', 'activado', 'açık'],
  disabled: ['desligado', 'off', 'desactivado', 'kapalı'],
  true: ['sim', 'yes', 'sí', 'evet'],
  false: ['não', 'no', 'no', 'hayır'],
  link: ['link', 'link', 'enlace', 'bağlantı'],
  self: ['a própria pessoa', 'the person', 'la propia persona', 'kişinin kendisi'],
  user: ['atendente', 'agent', 'agente', 'temsilci'],
  admin: ['administrador', 'administrator', 'administrador', 'yönetici'],
  nothing: ['(vazio)', '(empty)', '(vacío)', '(boş)'],
})
export const reasonWords = words({
  password: ['senha errada', 'wrong password', 'contraseña incorrecta', 'yanlış parola'],
  unknown: ['conta desconhecida', 'unknown account', 'cuenta desconocida', 'bilinmeyen hesap'],
  hours: ['fora do horário', 'outside working hours', 'fuera del horario', 'çalışma saati dışında'],
  company: ['empresa desligada', 'company switched off', 'empresa desactivada', 'şirket kapalı'],
  many: ['tentativas demais', 'too many attempts', 'demasiados intentos', 'çok fazla deneme'],
  elsewhere: ['entrou em outro lugar', 'signed in elsewhere', 'entró en otro lugar', 'başka yerde giriş yapıldı'],
  stale: ['segredo antigo usado', 'old secret used', 'secreto antiguo usado', 'eski gizli anahtar kullanıldı'],
  retired: ['excluído', 'deleted', 'eliminado', 'silindi'],
  made: ['criado', 'made', 'creado', 'oluşturuldu'],
  changed: ['alterado', 'changed', 'modificado', 'değiştirildi'],
  age: ['passou de 30 dias', 'older than 30 days', 'más de 30 días', '30 günden eski'],
})
