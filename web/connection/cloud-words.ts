import { words } from '#web/i18n.ts'

/** What connects a number of the Cloud API, a page or an Instagram account. */
export const cloudWords = words({
  tab: ['Meta', 'Meta', 'Meta', 'Meta'],
  lead: [
    'Os dados estão no painel do seu app na Meta, em WhatsApp › Configuração da API.',
    'All of this is in your app’s dashboard at Meta, under WhatsApp › API setup.',
    'Los datos están en el panel de su app en Meta, en WhatsApp › Configuración de la API.',
    'Bu bilgiler Meta’daki uygulama panelinizde, WhatsApp › API kurulumu altındadır.',
  ],
  phoneNumberId: [
    'Identificação do número de telefone',
    'Phone number ID',
    'Identificador del número de teléfono',
    'Telefon numarası kimliği',
  ],
  businessId: [
    'Identificação da conta do WhatsApp Business',
    'WhatsApp Business account ID',
    'Identificador de la cuenta de WhatsApp Business',
    'WhatsApp Business hesap kimliği',
  ],
  accessToken: ['Token de acesso permanente', 'Permanent access token', 'Token de acceso permanente', 'Kalıcı erişim anahtarı'],
  appSecret: ['Chave secreta do app', 'App secret', 'Clave secreta de la app', 'Uygulama gizli anahtarı'],
  verifyToken: [
    'Token de verificação do webhook',
    'Webhook verify token',
    'Token de verificación del webhook',
    'Webhook doğrulama anahtarı',
  ],
  verifyHint: [
    'Uma palavra à sua escolha; a mesma é informada na Meta.',
    'A word of your choice; the same one is entered at Meta.',
    'Una palabra a su elección; la misma se indica en Meta.',
    'Seçtiğiniz bir sözcük; Meta’ya da aynısı girilir.',
  ],
  kept: [
    'Não é mostrado. Deixe vazio para manter o que está salvo.',
    'Not shown. Leave it empty to keep what is saved.',
    'No se muestra. Déjelo vacío para conservar lo guardado.',
    'Gösterilmez. Kayıtlı olanı korumak için boş bırakın.',
  ],
  hook: ['Endereço do webhook', 'Webhook address', 'Dirección del webhook', 'Webhook adresi'],
  hookHint: [
    'Informe este endereço e o token de verificação na Meta, e assine o campo messages.',
    'Enter this address and the verify token at Meta, and subscribe to the field messages.',
    'Indique esta dirección y el token de verificación en Meta, y suscríbase al campo messages.',
    'Bu adresi ve doğrulama anahtarını Meta’ya girin ve messages alanına abone olun.',
  ],
  hookLater: [
    'Depois de salvar, o endereço do webhook aparece aqui.',
    'Once it is saved the webhook address stands here.',
    'Después de guardar, la dirección del webhook aparece aquí.',
    'Kaydettikten sonra webhook adresi burada görünür.',
  ],
  copyHook: ['Copiar endereço', 'Copy address', 'Copiar dirección', 'Adresi kopyala'],
  copied: ['Endereço copiado', 'Address copied', 'Dirección copiada', 'Adres kopyalandı'],
})
