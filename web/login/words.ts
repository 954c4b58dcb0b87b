import { words } from '#web/i18n.ts'

export const loginWords = words({
  title: ['Entrar no Guichê', 'Sign in to Guichê', 'Entrar en Guichê', 'Guichê’ye giriş'],
  lead: [
    'Todas as conversas da sua empresa, numa fila só.',
    'All your company’s conversations, in one line.',
    'Todas las conversaciones de su empresa, en una sola fila.',
    'Şirketinizin tüm konuşmaları tek bir sırada.',
  ],
  email: ['E-mail', 'Email', 'Correo electrónico', 'E-posta'],
  password: ['Senha', 'Password', 'Contraseña', 'Parola'],
  show: ['Mostrar senha', 'Show password', 'Mostrar contraseña', 'Parolayı göster'],
  hide: ['Ocultar senha', 'Hide password', 'Ocultar contraseña', 'Parolayı gizle'],
  remember: ['Lembrar de mim', 'Remember me', 'Recordarme', 'Beni hatırla'],
  enter: ['Entrar', 'Sign in', 'Entrar', 'Giriş yap'],
  setPassword: ['Definir senha', 'Set your password', 'Definir contraseña', 'Parola belirleyin'],
  setPasswordFor: [
    'Escolha a senha de {email}, em {company}.',
    'Choose the password of {email} at {company}.',
    'Elija la contraseña de {email} en {company}.',
    '{company} için {email} hesabının parolasını seçin.',
  ],
  newPassword: ['Nova senha', 'New password', 'Contraseña nueva', 'Yeni parola'],
  passwordRule: [
    'De {min} a {max} caracteres. Uma frase longa é a mais segura.',
    '{min} to {max} characters. A long phrase is safest.',
    'De {min} a {max} caracteres. Una frase larga es lo más seguro.',
    '{min} ile {max} karakter arası. En güvenlisi uzun bir cümledir.',
  ],
  passwordWeak: [
    'Esta senha é uma das primeiras que se tentam. Escolha outra.',
    'This password is among the first that are tried. Choose another.',
    'Esta contraseña es de las primeras que se prueban. Elija otra.',
    'Bu parola ilk denenenlerden biri. Başka bir parola seçin.',
  ],
  setAndEnter: ['Salvar e entrar', 'Save and sign in', 'Guardar y entrar', 'Kaydet ve giriş yap'],
  linkOver: [
    'Este link não vale mais.',
    'This link is no longer valid.',
    'Este enlace ya no es válido.',
    'Bu bağlantı artık geçerli değil.',
  ],
  linkOverWhy: [
    'Ele vale por três dias e uma única vez. Se você já definiu a senha, entre com ela; se não, peça um novo link a quem o enviou.',
    'It is good for three days and one use. If you have set your password, sign in with it; if not, ask whoever sent the link for a new one.',
    'Vale tres días y una sola vez. Si ya definió su contraseña, entre con ella; si no, pida un enlace nuevo a quien se lo envió.',
    'Üç gün ve tek kullanım için geçerlidir. Parolanızı belirlediyseniz onunla giriş yapın; belirlemediyseniz gönderenden yeni bağlantı isteyin.',
  ],
  toSignIn: ['Ir para a entrada', 'Go to sign-in', 'Ir a la entrada', 'Giriş sayfasına git'],
  wrong: [
    'E-mail ou senha não conferem. Tente novamente.',
    'Email or password do not match. Please try again.',
    'El correo o la contraseña no coinciden. Vuelva a intentarlo.',
    'E-posta veya parola eşleşmiyor. Tekrar deneyin.',
  ],
  pausedSeconds: [
    'Tentativas demais. Espere {n} s e tente de novo; sua senha continua a mesma.',
    'Too many attempts. Wait {n} s and try again; your password is still the same.',
    'Demasiados intentos. Espere {n} s y vuelva a intentarlo; su contraseña sigue siendo la misma.',
    'Çok fazla deneme. {n} sn bekleyip yeniden deneyin; parolanız değişmedi.',
  ],
  pausedMinutes: [
    'Tentativas demais. Espere {n} minutos e tente de novo; sua senha continua a mesma.',
    'Too many attempts. Wait {n} minutes and try again; your password is still the same.',
    'Demasiados intentos. Espere {n} minutos y vuelva a intentarlo; su contraseña sigue siendo la misma.',
    'Çok fazla deneme. {n} dakika bekleyip yeniden deneyin; parolanız değişmedi.',
  ],
  ended: [
    'Sua sessão expirou. Entre novamente.',
    'Your session has expired. Sign in again.',
    'Su sesión caducó. Entre de nuevo.',
    'Oturumunuzun süresi doldu. Tekrar giriş yapın.',
  ],
  elsewhere: [
    'Sua conta foi acessada em outro lugar, e esta sessão foi encerrada.',
    'Your account was used elsewhere, and this session was ended.',
    'Su cuenta se usó en otro lugar y esta sesión se cerró.',
    'Hesabınız başka bir yerde kullanıldı ve bu oturum kapatıldı.',
  ],
  dueSoon: [
    'Sua assinatura vence em {days} dias.',
    'Your subscription is due in {days} days.',
    'Su suscripción vence en {days} días.',
    'Aboneliğiniz {days} gün içinde sona eriyor.',
  ],
  dueTomorrow: [
    'Sua assinatura vence amanhã.',
    'Your subscription is due tomorrow.',
    'Su suscripción vence mañana.',
    'Aboneliğiniz yarın sona eriyor.',
  ],
  dueToday: [
    'Sua assinatura vence hoje.',
    'Your subscription is due today.',
    'Su suscripción vence hoy.',
    'Aboneliğiniz bugün sona eriyor.',
  ],
  expired: [
    'A assinatura venceu em {date}. Entre em contato com o suporte.',
    'The subscription expired on {date}. Contact support.',
    'La suscripción venció el {date}. Contacte con soporte.',
    'Abonelik {date} tarihinde sona erdi. Destekle iletişime geçin.',
  ],
  demo: [
    'Demonstração: entre com um clique',
    'Demonstration: sign in with one click',
    'Demostración: entre con un clic',
    'Gösterim: tek tıkla girin',
  ],
})

/** What a demonstration account may do. */
export const roleWords = words({
  admin: ['Administração', 'Administrator', 'Administración', 'Yönetici'],
  agent: ['Atendimento', 'Agent', 'Atención', 'Temsilci'],
  auditor: ['Auditoria', 'Auditor', 'Auditoría', 'Denetçi'],
  super: ['Plataforma', 'Platform', 'Plataforma', 'Platform'],
})
