import type { ErrorTexts } from '#domain/errors.ts'

export const messageErrors = {
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
  ERR_SENT_IN_PART: [
    'Talvez só uma parte da mensagem tenha chegado.',
    'Perhaps only part of the message arrived.',
    'Quizá solo llegó una parte del mensaje.',
    'Mesajın belki yalnızca bir bölümü ulaştı.',
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
  ERR_UPLOAD_QUOTA: [
    'O espaço da empresa para arquivos enviados acabou. Peça a um administrador que exclua atendimentos antigos ou amplie o plano.',
    'The company’s space for uploaded files is used up. Ask an administrator to delete old tickets or to upgrade the plan.',
    'Se agotó el espacio de la empresa para archivos enviados. Pida a un administrador que elimine tickets antiguos o amplíe el plan.',
    'Şirketin yüklenen dosyalar için ayrılan alanı doldu. Bir yöneticiden eski talepleri silmesini veya planı büyütmesini isteyin.',
  ],
  ERR_WAPP_DOWNLOAD_MEDIA: [
    'Não foi possível baixar a mídia.',
    'The file could not be downloaded.',
    'No se pudo descargar el archivo.',
    'Dosya indirilemedi.',
  ],
} as const satisfies ErrorTexts
