import type { Texts } from './errors.ts'

/** Error texts that every module may use. */
export const generalErrors = {
  ERR_INVALID_INPUT: [
    'Confira os campos: algo não foi aceito.',
    'Check the fields: something was not accepted.',
    'Revise los campos: algo no fue aceptado.',
    'Alanları kontrol edin: bir değer kabul edilmedi.',
  ],
  ERR_NOT_FOUND: ['Não encontrado.', 'Not found.', 'No encontrado.', 'Bulunamadı.'],
  ERR_TOO_LARGE: ['O arquivo é grande demais.', 'The file is too large.', 'El archivo es demasiado grande.', 'Dosya çok büyük.'],
  ERR_TOO_SLOW: [
    'Os dados demoraram demais para chegar. Verifique sua conexão e tente de novo.',
    'The data took too long to arrive. Check your connection and try again.',
    'Los datos tardaron demasiado en llegar. Revise su conexión e inténtelo de nuevo.',
    'Verilerin ulaşması çok uzun sürdü. Bağlantınızı kontrol edip yeniden deneyin.',
  ],
  ERR_UNSUPPORTED_MEDIA: [
    'Este tipo de arquivo não é aceito.',
    'This type of file is not accepted.',
    'Este tipo de archivo no se acepta.',
    'Bu dosya türü kabul edilmiyor.',
  ],
  ERR_TOO_MANY_REQUESTS: [
    'Muitas tentativas em pouco tempo. Aguarde um instante.',
    'Too many attempts in a short time. Wait a moment.',
    'Demasiados intentos en poco tiempo. Espere un momento.',
    'Kısa sürede çok fazla deneme. Biraz bekleyin.',
  ],
  ERR_DUPLICATED_NAME: [
    'Já existe um registro com este nome.',
    'There is already a record with this name.',
    'Ya existe un registro con este nombre.',
    'Bu adla bir kayıt zaten var.',
  ],
  ERR_ROW_CHANGED: [
    'Outra pessoa mudou este registro depois que você o abriu. Confira o que mudou e salve de novo.',
    'Someone else changed this record after you opened it. See what changed and save again.',
    'Otra persona cambió este registro después de que usted lo abrió. Revise qué cambió y guarde de nuevo.',
    'Siz açtıktan sonra başka biri bu kaydı değiştirdi. Neyin değiştiğine bakıp yeniden kaydedin.',
  ],
  ERR_COMMAND_REUSED: [
    'O identificador desta ação já foi usado para outra.',
    'The id of this action was already used for another one.',
    'El identificador de esta acción ya se usó para otra.',
    'Bu işlemin kimliği daha önce başka bir işlem için kullanıldı.',
  ],
  ERR_NO_OTHER_WHATSAPP: [
    'Deve haver pelo menos uma conexão WhatsApp padrão. Marque outra como padrão antes.',
    'There must be at least one default WhatsApp connection. Make another one the default first.',
    'Debe haber al menos una conexión de WhatsApp predeterminada. Antes marque otra como predeterminada.',
    'En az bir varsayılan WhatsApp bağlantısı olmalıdır. Önce başka birini varsayılan yapın.',
  ],
  ERR_BUSY: [
    'Há solicitações demais ao mesmo tempo. Tente de novo.',
    'Too many requests at once. Try again.',
    'Hay demasiadas solicitudes a la vez. Inténtelo de nuevo.',
    'Aynı anda çok fazla istek var. Yeniden deneyin.',
  ],
  ERR_DISK_FULL: [
    'O disco do servidor está cheio: nenhum arquivo pode ser guardado agora. Textos e leitura funcionam. Avise o administrador.',
    'The server’s disk is full: no file can be stored now. Texts and reading work. Notify the administrator.',
    'El disco del servidor está lleno: ahora no se puede guardar ningún archivo. Los textos y la lectura funcionan. Avise al administrador.',
    'Sunucunun diski dolu: şu anda hiçbir dosya saklanamaz. Metinler ve okuma çalışıyor. Yöneticiye haber verin.',
  ],
  ERR_UNAVAILABLE: [
    'O sistema está indisponível por um momento. Nada foi perdido.',
    'The system is unavailable for a moment. Nothing was lost.',
    'El sistema no está disponible por un momento. No se perdió nada.',
    'Sistem kısa bir süre kullanılamıyor. Hiçbir şey kaybolmadı.',
  ],
  ERR_INTERNAL: ['Ocorreu um erro!', 'An error occurred!', '¡Ocurrió un error!', 'Bir hata oluştu!'],
} satisfies Record<string, Texts>
