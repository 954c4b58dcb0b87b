import type { ErrorCode } from '#domain/errors.ts'
import { words } from './i18n.ts'

/** What a person reads when the system says no. The specification's wording where it gives one. */
export const errorWords = words<ErrorCode>({
  ERR_SESSION_EXPIRED: [
    'Sessão expirada. Entre novamente.',
    'Session expired. Please log in.',
    'Sesión caducada. Inicie sesión.',
    'Oturum süresi doldu. Giriş yapın.',
  ],
  ERR_INVALID_CREDENTIALS: [
    'Erro de autenticação. Por favor, tente novamente.',
    'Authentication error. Please try again.',
    'Error de autenticación. Vuelva a intentarlo.',
    'Kimlik doğrulama hatası. Lütfen tekrar deneyin.',
  ],
  ERR_OUT_OF_HOURS: [
    'Fora do horário de expediente.',
    'Outside business hours.',
    'Fuera del horario laboral.',
    'Çalışma saatleri dışında.',
  ],
  ERR_SUBSCRIPTION_EXPIRED: [
    'A assinatura da empresa venceu. Entre em contato com o suporte.',
    'The company’s subscription has expired. Contact support.',
    'La suscripción de la empresa venció. Contacte con soporte.',
    'Şirketin aboneliği sona erdi. Destekle iletişime geçin.',
  ],
  ERR_NO_PERMISSION: [
    'Você não tem permissão para acessar este recurso.',
    'You do not have permission for this resource.',
    'No tiene permiso para acceder a este recurso.',
    'Bu kaynağa erişim izniniz yok.',
  ],
  ERR_NO_PLAN: [
    'Esta empresa não possui permissão para acessar essa página! Estamos lhe redirecionando.',
    'This company is not allowed to open this page! Redirecting you.',
    '¡Esta empresa no tiene permiso para acceder a esta página! Le estamos redirigiendo.',
    'Bu şirketin bu sayfaya erişim izni yok! Yönlendiriliyorsunuz.',
  ],
  ERR_USER_CREATION_DISABLED: [
    'A criação do usuário foi desabilitada pelo administrador.',
    'User creation was disabled by the administrator.',
    'La creación de usuarios fue deshabilitada por el administrador.',
    'Kullanıcı oluşturma yönetici tarafından kapatıldı.',
  ],

  ERR_INVALID_INPUT: [
    'Confira os campos: algo não foi aceito.',
    'Check the fields: something was not accepted.',
    'Revise los campos: algo no fue aceptado.',
    'Alanları kontrol edin: bir değer kabul edilmedi.',
  ],
  ERR_NOT_FOUND: ['Não encontrado.', 'Not found.', 'No encontrado.', 'Bulunamadı.'],
  ERR_TOO_LARGE: ['O arquivo é grande demais.', 'The file is too large.', 'El archivo es demasiado grande.', 'Dosya çok büyük.'],
  ERR_UNSUPPORTED_MEDIA: [
    'Este tipo de arquivo não é aceito.',
    'This kind of file is not accepted.',
    'Este tipo de archivo no se acepta.',
    'Bu dosya türü kabul edilmiyor.',
  ],
  ERR_TOO_MANY_REQUESTS: [
    'Muitas tentativas em pouco tempo. Aguarde um instante.',
    'Too many tries in a short time. Wait a moment.',
    'Demasiados intentos en poco tiempo. Espere un momento.',
    'Kısa sürede çok fazla deneme. Biraz bekleyin.',
  ],

  ERR_NO_TICKET_FOUND: [
    'Nenhum atendimento encontrado com este ID.',
    'No ticket found with this ID.',
    'No se encontró ningún ticket con este ID.',
    'Bu kimlikle talep bulunamadı.',
  ],
  ERR_NO_CONTACT_FOUND: [
    'Nenhum contato encontrado com este ID.',
    'No contact found with this ID.',
    'No se encontró ningún contacto con este ID.',
    'Bu kimlikle kişi bulunamadı.',
  ],
  ERR_NO_USER_FOUND: [
    'Nenhum usuário encontrado com este ID.',
    'No user found with this ID.',
    'No se encontró ningún usuario con este ID.',
    'Bu kimlikle kullanıcı bulunamadı.',
  ],
  ERR_NO_QUEUE_FOUND: [
    'Nenhuma fila encontrada com este ID.',
    'No queue found with this ID.',
    'No se encontró ninguna cola con este ID.',
    'Bu kimlikle kuyruk bulunamadı.',
  ],
  ERR_NO_TAG_FOUND: [
    'Nenhuma tag encontrada com este ID.',
    'No tag found with this ID.',
    'No se encontró ninguna etiqueta con este ID.',
    'Bu kimlikle etiket bulunamadı.',
  ],
  ERR_NO_QUICK_MESSAGE_FOUND: [
    'Nenhuma resposta rápida encontrada com este ID.',
    'No quick reply found with this ID.',
    'No se encontró ninguna respuesta rápida con este ID.',
    'Bu kimlikle hızlı yanıt bulunamadı.',
  ],
  ERR_NO_NOTE_FOUND: ['Observação não encontrada.', 'Note not found.', 'Nota no encontrada.', 'Not bulunamadı.'],
  ERR_NO_WAPP_FOUND: [
    'Nenhuma conexão encontrada com este ID.',
    'No connection found with this ID.',
    'No se encontró ninguna conexión con este ID.',
    'Bu kimlikle bağlantı bulunamadı.',
  ],
  ERR_NO_SETTING_FOUND: [
    'Nenhuma configuração encontrada com este ID.',
    'No setting found with this ID.',
    'No se encontró ninguna configuración con este ID.',
    'Bu kimlikle ayar bulunamadı.',
  ],
  ERR_NO_MEDIA_FOUND: [
    'O arquivo não está mais disponível.',
    'The file is no longer available.',
    'El archivo ya no está disponible.',
    'Dosya artık mevcut değil.',
  ],
  ERR_FETCH_WAPP_MSG: [
    'Mensagem não encontrada; talvez seja antiga demais.',
    'Message not found; it may be too old.',
    'Mensaje no encontrado; quizá sea demasiado antiguo.',
    'Mesaj bulunamadı; çok eski olabilir.',
  ],

  ERR_OTHER_OPEN_TICKET: [
    'Já existe um atendimento aberto para este contato.',
    'There is already an open ticket for this contact.',
    'Ya existe un ticket abierto para este contacto.',
    'Bu kişi için zaten açık bir talep var.',
  ],
  ERR_QUEUE_REQUIRED: ['Selecione uma fila', 'Choose a queue', 'Seleccione una cola', 'Bir kuyruk seçin'],
  ERR_TAG_REQUIRED: [
    'Você deve atribuir uma tag antes de fechar o atendimento.',
    'You must assign a tag before closing the ticket.',
    'Debe asignar una etiqueta antes de cerrar el ticket.',
    'Talebi kapatmadan önce bir etiket atamalısınız.',
  ],
  ERR_TICKET_NOT_OPEN: [
    'Este atendimento não está aberto.',
    'This ticket is not open.',
    'Este ticket no está abierto.',
    'Bu talep açık değil.',
  ],
  ERR_TICKET_CHANGED: [
    'Alguém respondeu enquanto você escrevia. Confira antes de enviar.',
    'Someone answered while you were writing. Look before you send.',
    'Alguien respondió mientras usted escribía. Revise antes de enviar.',
    'Siz yazarken biri yanıtladı. Göndermeden önce bakın.',
  ],
  ERR_CREATING_TICKET: [
    'Ocorreu um erro ao criar o atendimento.',
    'An error occurred while creating the ticket.',
    'Ocurrió un error al crear el ticket.',
    'Talep oluşturulurken bir hata oluştu.',
  ],
  ERR_CREATING_MESSAGE: [
    'Ocorreu um erro ao criar a mensagem.',
    'An error occurred while creating the message.',
    'Ocurrió un error al crear el mensaje.',
    'Mesaj oluşturulurken bir hata oluştu.',
  ],
  ERR_SENDING_WAPP_MSG: [
    'Erro ao enviar a mensagem. Verifique a conexão.',
    'The message could not be sent. Check the connection.',
    'Error al enviar el mensaje. Verifique la conexión.',
    'Mesaj gönderilemedi. Bağlantıyı kontrol edin.',
  ],
  ERR_DELETE_WAPP_MSG: [
    'Não foi possível apagar a mensagem.',
    'The message could not be deleted.',
    'No se pudo eliminar el mensaje.',
    'Mesaj silinemedi.',
  ],
  ERR_MESSAGE_TOO_OLD: [
    'A mensagem é antiga demais para ser editada.',
    'The message is too old to be edited.',
    'El mensaje es demasiado antiguo para editarlo.',
    'Mesaj düzenlenemeyecek kadar eski.',
  ],
  ERR_DUPLICATED_CONTACT: [
    'Já existe um contato com este número.',
    'A contact with this number already exists.',
    'Ya existe un contacto con este número.',
    'Bu numarayla bir kişi zaten var.',
  ],
  ERR_DUPLICATED_NAME: [
    'Já existe um registro com este nome.',
    'There is already one with this name.',
    'Ya existe un registro con este nombre.',
    'Bu adla bir kayıt zaten var.',
  ],
  ERR_QUEUE_COLOR_ALREADY_EXISTS: [
    'Esta cor já está em uso, escolha outra.',
    'This color is already in use, choose another one.',
    'Este color ya está en uso, elija otro.',
    'Bu renk kullanımda, başka bir renk seçin.',
  ],
  ERR_WAPP_GREETING_REQUIRED: [
    'A mensagem de saudação é obrigatória quando há mais de uma fila.',
    'A greeting is required when there is more than one queue.',
    'El saludo es obligatorio cuando hay más de una cola.',
    'Birden fazla kuyruk varsa karşılama mesajı zorunludur.',
  ],
  ERR_NO_OTHER_WHATSAPP: [
    'Deve haver pelo menos uma conexão WhatsApp padrão.',
    'There must be at least one default WhatsApp connection.',
    'Debe haber al menos una conexión de WhatsApp predeterminada.',
    'En az bir varsayılan WhatsApp bağlantısı olmalıdır.',
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
  ERR_WAPP_CHECK_CONTACT: [
    'Não foi possível verificar o contato.',
    'The contact could not be checked.',
    'No se pudo verificar el contacto.',
    'Kişi doğrulanamadı.',
  ],
  ERR_WAPP_INVALID_CONTACT: [
    'Este não é um número de WhatsApp válido.',
    'This is not a valid WhatsApp number.',
    'Este no es un número de WhatsApp válido.',
    'Bu geçerli bir WhatsApp numarası değil.',
  ],
  ERR_WAPP_DOWNLOAD_MEDIA: [
    'Não foi possível baixar a mídia.',
    'The media could not be downloaded.',
    'No se pudo descargar el archivo.',
    'Medya indirilemedi.',
  ],

  ERR_BUSY: [
    'Muita coisa ao mesmo tempo aqui. Tente de novo.',
    'Too much at once here. Try again.',
    'Demasiado a la vez aquí. Inténtelo de nuevo.',
    'Burada aynı anda çok iş var. Tekrar deneyin.',
  ],
  ERR_UNAVAILABLE: [
    'O sistema está indisponível por um momento. Nada foi perdido.',
    'The system is unavailable for a moment. Nothing was lost.',
    'El sistema no está disponible por un momento. No se perdió nada.',
    'Sistem kısa bir süre kullanılamıyor. Hiçbir şey kaybolmadı.',
  ],
  ERR_INTERNAL: ['Ocorreu um erro!', 'An error occurred!', '¡Ocurrió un error!', 'Bir hata oluştu!'],
})

export const failureWords = words({
  offline: [
    'Sem conexão com o servidor. Confira a internet e tente de novo.',
    'No connection to the server. Check the internet and try again.',
    'Sin conexión con el servidor. Revise internet e inténtelo de nuevo.',
    'Sunucuya bağlanılamıyor. İnterneti kontrol edip tekrar deneyin.',
  ],
  tooManySignIns: [
    'Muitas tentativas de acesso. Aguarde alguns minutos e tente de novo.',
    'Too many sign-in attempts. Wait a few minutes and try again.',
    'Demasiados intentos de acceso. Espere unos minutos e inténtelo de nuevo.',
    'Çok fazla giriş denemesi. Birkaç dakika bekleyip tekrar deneyin.',
  ],
  companyOff: [
    'O acesso desta empresa está desativado. Entre em contato com o suporte.',
    'This company’s access is switched off. Contact support.',
    'El acceso de esta empresa está desactivado. Contacte con soporte.',
    'Bu şirketin erişimi kapatıldı. Destekle iletişime geçin.',
  ],
})
