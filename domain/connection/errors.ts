import type { ErrorTexts } from '#domain/errors.ts'

export const connectionErrors = {
  ERR_NO_WAPP_FOUND: [
    'Nenhuma conexão encontrada com este ID.',
    'No connection found with this ID.',
    'No se encontró ninguna conexión con este ID.',
    'Bu kimlikle bağlantı bulunamadı.',
  ],
  ERR_WAPP_GREETING_REQUIRED: [
    'A mensagem de saudação é obrigatória quando há mais de uma fila.',
    'A greeting is required when there is more than one queue.',
    'El saludo es obligatorio cuando hay más de una cola.',
    'Birden fazla kuyruk varsa karşılama mesajı zorunludur.',
  ],
  ERR_NO_DEF_WAPP_FOUND: [
    'Nenhum WhatsApp padrão encontrado.',
    'No default WhatsApp found.',
    'No se encontró ningún WhatsApp predeterminado.',
    'Varsayılan WhatsApp bulunamadı.',
  ],
  ERR_WAPP_NOT_INITIALIZED: [
    'Esta sessão do WhatsApp não foi inicializada.',
    'This WhatsApp session is not initialised.',
    'Esta sesión de WhatsApp no está inicializada.',
    'Bu WhatsApp oturumu başlatılmadı.',
  ],
  ERR_WINDOW_CLOSED: [
    'Passaram mais de 24 horas desde a última mensagem do cliente: o canal não aceita mais esta resposta.',
    'More than 24 hours have passed since the customer’s last message: the channel takes this answer no more.',
    'Pasaron más de 24 horas desde el último mensaje del cliente: el canal ya no acepta esta respuesta.',
    'Müşterinin son mesajının üzerinden 24 saatten fazla geçti: kanal bu yanıtı artık kabul etmiyor.',
  ],
  ERR_CONTACT_UNREACHABLE: [
    'O canal não consegue entregar mensagens a este contato.',
    'The channel cannot deliver messages to this contact.',
    'El canal no puede entregar mensajes a este contacto.',
    'Kanal bu kişiye mesaj iletemiyor.',
  ],
  ERR_TEMPLATE_REFUSED: [
    'O WhatsApp não aceitou este modelo.',
    'WhatsApp did not take this template.',
    'WhatsApp no aceptó esta plantilla.',
    'WhatsApp bu şablonu kabul etmedi.',
  ],
  ERR_TEMPLATE_GONE: [
    'Este modelo não existe mais neste idioma. Atualize a lista.',
    'This template is no longer there in this language. Refresh the list.',
    'Esta plantilla ya no existe en este idioma. Actualice la lista.',
    'Bu şablon bu dilde artık yok. Listeyi yenileyin.',
  ],
  ERR_TEMPLATE_PAUSED: [
    'O WhatsApp não deixa enviar este modelo agora: foi pausado ou ainda não foi aprovado.',
    'WhatsApp does not let this template be sent now: it is paused or not approved.',
    'WhatsApp no permite enviar esta plantilla ahora: está en pausa o no fue aprobada.',
    'WhatsApp bu şablonun şimdi gönderilmesine izin vermiyor: duraklatıldı ya da onaylanmadı.',
  ],
  ERR_TEMPLATE_FIELDS: [
    'Um campo do modelo está vazio ou tem algo que o WhatsApp não aceita, como uma quebra de linha.',
    'A field of the template is empty or holds what WhatsApp does not take, such as a line break.',
    'Un campo de la plantilla está vacío o tiene algo que WhatsApp no acepta, como un salto de línea.',
    'Şablonun bir alanı boş ya da satır sonu gibi WhatsApp’ın kabul etmediği bir şey içeriyor.',
  ],
  ERR_CHANNEL_CANNOT: [
    'O canal deste atendimento não permite isto.',
    'The channel of this ticket cannot do that.',
    'El canal de esta atención no permite esto.',
    'Bu talebin kanalı buna izin vermiyor.',
  ],
  ERR_CHANNEL_LIMITED: [
    'O canal pede uma pausa: foram enviadas mensagens demais. A mensagem será enviada em seguida.',
    'The channel asks for a pause: too many messages were sent. The message will be sent shortly.',
    'El canal pide una pausa: se enviaron demasiados mensajes. El mensaje se enviará en breve.',
    'Kanal ara verilmesini istiyor: çok fazla mesaj gönderildi. Mesaj birazdan gönderilecek.',
  ],
  ERR_CHANNEL_AWAY: [
    'O canal não responde agora. Tente de novo em instantes.',
    'The channel does not answer right now. Try again in a moment.',
    'El canal no responde ahora. Inténtelo de nuevo en un momento.',
    'Kanal şu anda yanıt vermiyor. Birazdan yeniden deneyin.',
  ],
  ERR_CHANNEL_TOKEN: [
    'A Meta não aceita mais o token de acesso desta conexão. Conecte novamente.',
    'Meta no longer accepts the access token of this connection. Connect it again.',
    'Meta ya no acepta el token de acceso de esta conexión. Conéctela de nuevo.',
    'Meta bu bağlantının erişim anahtarını artık kabul etmiyor. Yeniden bağlayın.',
  ],
  ERR_CHANNEL_FORBIDDEN: [
    'A Meta não permite isto a esta conta: falta uma permissão ou há uma restrição.',
    'Meta does not allow this account to do that: a permission is missing or it is restricted.',
    'Meta no permite esto a esta cuenta: falta un permiso o está restringida.',
    'Meta bu hesabın bunu yapmasına izin vermiyor: bir yetki eksik veya hesap kısıtlı.',
  ],
  ERR_CHANNEL_ACCOUNT: [
    'A Meta não encontrou esta conta com o token informado. Confira os números de identificação.',
    'Meta did not find this account with the token given. Check the ids.',
    'Meta no encontró esta cuenta con el token indicado. Revise los identificadores.',
    'Meta verilen anahtarla bu hesabı bulamadı. Kimlik numaralarını kontrol edin.',
  ],
  ERR_CHANNEL_TAKEN: [
    'Esta conta já está ligada a outra conexão.',
    'This account is already linked to another connection.',
    'Esta cuenta ya está vinculada a otra conexión.',
    'Bu hesap zaten başka bir bağlantıya bağlı.',
  ],
  ERR_META_LOGIN: [
    'Esta entrada na Meta já foi usada ou passou do prazo. Entre de novo.',
    'This login at Meta was used already or has expired. Log in again.',
    'Este acceso a Meta ya se usó o venció. Entre de nuevo.',
    'Bu Meta girişi daha önce kullanılmış ya da süresi dolmuş. Yeniden giriş yapın.',
  ],
  ERR_META_NOT_SET: [
    'Este servidor ainda não tem um app da Meta: quem o opera precisa informar META_APP_ID e META_APP_SECRET.',
    'This server has no app at Meta yet: whoever runs it has to set META_APP_ID and META_APP_SECRET.',
    'Este servidor aún no tiene una app de Meta: quien lo opera debe definir META_APP_ID y META_APP_SECRET.',
    'Bu sunucunun henüz Meta uygulaması yok: işletenin META_APP_ID ve META_APP_SECRET değerlerini girmesi gerekir.',
  ],
  ERR_WEBHOOK_SIGNATURE: ['A assinatura não confere.', 'The signature does not match.', 'La firma no coincide.', 'İmza eşleşmiyor.'],
} as const satisfies ErrorTexts
