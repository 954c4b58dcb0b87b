import { words } from '#web/i18n.ts'

/** Texts of disconnecting and restarting a session, and of a connection without queues. */
export const sessionWords = words({
  askUnlink: [
    'O Guichê sai dos dispositivos conectados do celular. A partir daí a conexão não recebe nem envia nada; o que for escrito espera. Para voltar é preciso ler um novo código, com o celular na mão.',
    'Guichê is removed from the phone’s linked devices. From then on it receives and sends nothing; what is written waits. To come back, a new code has to be scanned, with the phone at hand.',
    'Guichê sale de los dispositivos vinculados del teléfono. Desde entonces la conexión no recibe ni envía nada; lo que se escriba espera. Para volver hay que leer un código nuevo, con el teléfono en la mano.',
    'Guichê telefonun bağlı cihazlarından çıkar. O andan sonra bu bağlantıdan hiçbir şey alınmaz ve gönderilmez; yazılanlar bekler. Geri dönmek için telefon eldeyken yeni bir kod okutulmalıdır.',
  ],
  register: ['Registrar número', 'Register number', 'Registrar número', 'Numarayı kaydet'],
  registerLead: [
    'A Meta pede o PIN da confirmação em duas etapas deste número. Se ele ainda não tem um, estes seis dígitos passam a ser o dele: guarde-os.',
    'Meta asks for the PIN of this number’s two-step verification. If it has none yet, these six digits become the PIN: keep them.',
    'Meta pide el PIN de la verificación en dos pasos de este número. Si aún no tiene uno, estos seis dígitos pasan a serlo: guárdelos.',
    'Meta bu numaranın iki adımlı doğrulama PIN’ini istiyor. Henüz yoksa bu altı rakam PIN olur: saklayın.',
  ],
  pin: ['PIN de seis dígitos', 'Six-digit PIN', 'PIN de seis dígitos', 'Altı haneli PIN'],
  pinSix: ['São seis dígitos', 'Enter six digits', 'Son seis dígitos', 'Altı rakam olmalı'],
  registered: [
    '{name}: número registrado. A conexão começa em instantes.',
    '{name}: number registered. The connection starts in a moment.',
    '{name}: número registrado. La conexión empieza en un momento.',
    '{name}: numara kaydedildi. Bağlantı birazdan başlar.',
  ],
  restartedSome: [
    '{done} de {n} conexões voltaram. As outras ainda tentam: veja a situação de cada uma.',
    '{done} of {n} connections are back. The others are still trying: see the status of each.',
    '{done} de {n} conexiones volvieron. Las otras siguen intentando: vea el estado de cada una.',
    '{n} bağlantıdan {done} tanesi geri geldi. Diğerleri hâlâ deniyor: her birinin durumuna bakın.',
  ],
  noQueues: [
    'Sem fila, quem escreve por ela só aparece para administradores e para quem vê atendimentos sem fila.',
    'Without a queue, customers who write to it are visible only to administrators and to users who see tickets without a queue.',
    'Sin cola, quien escribe por ella solo aparece para administradores y para quienes ven tickets sin cola.',
    'Kuyruk olmadan buraya yazanları yalnızca yöneticiler ve kuyruksuz talepleri görebilenler görür.',
  ],
  noQueuesHere: ['sem fila', 'no queue', 'sin cola', 'kuyruk yok'],
  noQueueYet: [
    'Ainda não há filas. Crie a primeira para que os atendentes vejam quem escreve.',
    'There are no queues yet. Create the first one so that agents can see who writes.',
    'Aún no hay colas. Cree la primera para que los agentes vean quién escribe.',
    'Henüz kuyruk yok. Temsilcilerin yazanları görmesi için ilkini oluşturun.',
  ],
  toQueues: ['Filas', 'Queues', 'Colas', 'Kuyruklar'],
  newToken: ['Informar novo token', 'Enter a new token', 'Indicar un token nuevo', 'Yeni anahtar gir'],
  hookTitle: [
    'Falta um passo na Meta: {name}',
    'One more step at Meta: {name}',
    'Falta un paso en Meta: {name}',
    'Meta’da bir adım kaldı: {name}',
  ],
  hookLead: [
    'O número já envia. Para receber o que os clientes escrevem, abra o painel do app na Meta, em WhatsApp › Configuração.',
    'The number can already send. To receive what customers write, open the app’s dashboard at Meta, under WhatsApp › Configuration.',
    'El número ya envía. Para recibir lo que escriben los clientes, abra el panel de la app en Meta, en WhatsApp › Configuración.',
    'Numara artık gönderebilir. Müşterilerin yazdıklarını almak için Meta’daki uygulama panelinde WhatsApp › Yapılandırma’yı açın.',
  ],
  hookDone: ['Entendi', 'Got it', 'Entendido', 'Anladım'],
  noMail: [
    'Este servidor não envia e-mails: quando uma conexão sai do ar, o aviso aparece só aqui no Guichê.',
    'This server sends no email: when a connection goes down, the notice appears only here in Guichê.',
    'Este servidor no envía correos: cuando una conexión se cae, el aviso aparece solo aquí en Guichê.',
    'Bu sunucu e-posta göndermiyor: bir bağlantı kesildiğinde uyarı yalnızca burada, Guichê’de görünür.',
  ],
  toMail: ['Configurar o e-mail', 'Set up email', 'Configurar el correo', 'E-postayı ayarla'],
  askForMail: [
    'Quem opera o servidor pode configurar o e-mail.',
    'The server’s operator can set up email.',
    'Quien opera el servidor puede configurar el correo.',
    'Sunucuyu işleten e-postayı ayarlayabilir.',
  ],
  sameName: [
    'Outra conexão já tem este nome: nas listas as duas se distinguem só pelo número.',
    'Another connection already has this name: in lists the two differ only by their number.',
    'Otra conexión ya tiene este nombre: en las listas las dos se distinguen solo por el número.',
    'Bu ad başka bir bağlantıda da var: listelerde ikisi yalnızca numaralarıyla ayırt edilir.',
  ],
  importLinked: [
    'Este número já está conectado: as conversas anteriores só vêm ao vinculá-lo de novo. Salve, desconecte e leia um novo código.',
    'This number is already linked: earlier conversations are imported only when it is linked again. Save, disconnect and scan a new code.',
    'Este número ya está conectado: las conversaciones anteriores solo llegan al vincularlo de nuevo. Guarde, desconecte y lea un código nuevo.',
    'Bu numara zaten bağlı: önceki görüşmeler yalnızca yeniden bağlanınca gelir. Kaydedin, bağlantıyı kesin ve yeni bir kod okutun.',
  ],
})
