import { languages } from '#domain/user/rules.ts'

type Row = readonly [pt: string, en: string, es: string, tr: string]
const texts = {
  testSubject: ['E-mail de teste do Guichê', 'Guichê test email', 'Correo de prueba de Guichê', 'Guichê test e-postası'],
  test: [
    'Se você lê isto, o envio de e-mails está funcionando.',
    'If you can read this, sending email works.',
    'Si lee esto, el envío de correos funciona.',
    'Bunu okuyorsanız e-posta gönderimi çalışıyor.',
  ],
  linkSubject: ['Crie sua senha no Guichê', 'Set your Guichê password', 'Cree su contraseña en Guichê', 'Guichê parolanızı belirleyin'],
  link: [
    'Olá, {name}!\n\nCrie aqui a sua senha para atender por {company}:\n{link}\n\nO link vale por 3 dias e só uma vez. Se você não esperava este e-mail, ignore-o.',
    'Hello, {name}!\n\nSet your password here to serve customers for {company}:\n{link}\n\nThe link is valid for 3 days and only once. If you did not expect this email, ignore it.',
    'Hola, {name}:\n\nCree aquí su contraseña para atender por {company}:\n{link}\n\nEl enlace vale 3 días y una sola vez. Si no esperaba este correo, ignórelo.',
    'Merhaba {name},\n\n{company} adına hizmet vermek için parolanızı burada belirleyin:\n{link}\n\nBağlantı 3 gün ve yalnızca bir kez geçerlidir. Bu e-postayı beklemiyorduysanız dikkate almayın.',
  ],
  outageSubject: [
    'A conexão {connection} está fora do ar',
    'The connection {connection} is down',
    'La conexión {connection} está sin servicio',
    '{connection} bağlantısı çalışmıyor',
  ],
  outage: [
    'Olá, {name}!\n\nA conexão {connection} está fora do ar: {reason}. Até ela voltar, nada do que os clientes escrevem por ela chega aqui, e as respostas esperam.\n\nVeja as conexões aqui:\n{link}',
    'Hello, {name}!\n\nThe connection {connection} is down: {reason}. Until it is back, nothing that customers write to it arrives here, and replies wait.\n\nSee the connections here:\n{link}',
    'Hola, {name}:\n\nLa conexión {connection} está sin servicio: {reason}. Hasta que vuelva no llega nada de lo que escriban los clientes por ella, y las respuestas esperan.\n\nVea las conexiones aquí:\n{link}',
    'Merhaba {name},\n\n{connection} bağlantısı çalışmıyor: {reason}. Geri gelene kadar müşterilerin buradan yazdıkları ulaşmaz, yanıtlar da bekler.\n\nBağlantıları buradan görün:\n{link}',
  ],
  backSubject: [
    'A conexão {connection} voltou',
    'The connection {connection} is back',
    'La conexión {connection} volvió',
    '{connection} bağlantısı geri geldi',
  ],
  back: [
    'Olá, {name}!\n\nA conexão {connection} voltou, e as mensagens que esperavam estão sendo enviadas. Se puder faltar algo do que os clientes escreveram nesse tempo, a página das conexões mostra:\n{link}',
    'Hello, {name}!\n\nThe connection {connection} is back, and waiting messages are being sent. If something that customers wrote meanwhile may be missing, the connections page shows it:\n{link}',
    'Hola, {name}:\n\nLa conexión {connection} volvió, y los mensajes en espera se están enviando. Si pudiera faltar algo de lo que los clientes escribieron en ese tiempo, la página de conexiones lo muestra:\n{link}',
    'Merhaba {name},\n\n{connection} bağlantısı geri geldi, bekleyenler gönderiliyor. Bu sürede müşterilerin yazdıklarından eksik kalmış olabilecekler varsa bağlantılar sayfasında belirtilir:\n{link}',
  ],
  expirySubject: [
    'A autorização da conexão {connection} vence em breve',
    'The authorisation of the connection {connection} ends soon',
    'La autorización de la conexión {connection} vence pronto',
    '{connection} bağlantısının yetkisi yakında doluyor',
  ],
  expiry: [
    'Olá, {name}!\n\nA autorização da conexão {connection} na Meta vence em poucos dias. Depois disso nada do que os clientes escrevem por ela chega aqui. Entre de novo na Meta pela página das conexões; a conexão e os atendimentos continuam os mesmos:\n{link}',
    'Hello, {name}!\n\nThe authorisation of the connection {connection} at Meta ends in a few days. After that, nothing that customers write to it arrives here. Sign in to Meta again on the connections page; the connection and its tickets stay the same:\n{link}',
    'Hola, {name}:\n\nLa autorización de la conexión {connection} en Meta vence en pocos días. Después no llegará nada de lo que escriban los clientes por ella. Inicie sesión de nuevo en Meta desde la página de conexiones; la conexión y sus tickets siguen siendo los mismos:\n{link}',
    'Merhaba {name},\n\n{connection} bağlantısının Meta yetkisi birkaç gün içinde doluyor. Sonrasında müşterilerin buradan yazdıkları ulaşmaz. Bağlantılar sayfasından Meta’da yeniden oturum açın; bağlantı ve talepleri aynı kalır:\n{link}',
  ],
  resetSubject: [
    'Redefinir sua senha do Guichê',
    'Reset your Guichê password',
    'Restablecer su contraseña de Guichê',
    'Guichê parolanızı sıfırlayın',
  ],
  reset: [
    'Olá, {name}!\n\nAlguém pediu uma nova senha para a sua conta em {company}. Se foi você, defina-a aqui:\n{link}\n\nO link vale por uma hora e só uma vez. Se não foi você, ignore este e-mail: a sua senha continua a mesma.',
    'Hello, {name}!\n\nSomeone requested a new password for your account at {company}. If it was you, set it here:\n{link}\n\nThe link is valid for an hour and only once. If it was not you, ignore this email: your password stays the same.',
    'Hola, {name}:\n\nAlguien pidió una contraseña nueva para su cuenta en {company}. Si fue usted, defínala aquí:\n{link}\n\nEl enlace vale una hora y una sola vez. Si no fue usted, ignore este correo: su contraseña sigue siendo la misma.',
    'Merhaba {name},\n\n{company} hesabınız için yeni bir parola istendi. İsteyen sizseniz buradan belirleyin:\n{link}\n\nBağlantı bir saat ve yalnızca bir kez geçerlidir. Siz değilseniz bu e-postayı dikkate almayın: parolanız değişmedi.',
  ],
} as const satisfies Record<string, Row>

/** The text of a mail in the recipient's language. */
export function mailText(key: keyof typeof texts, language: string, values: Record<string, string> = {}): string {
  const column = Math.max(0, (languages as readonly string[]).indexOf(language)) as 0 | 1 | 2 | 3
  return texts[key][column].replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
}
