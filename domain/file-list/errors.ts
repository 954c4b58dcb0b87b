import type { ErrorTexts } from '#domain/errors.ts'

export const fileListErrors = {
  ERR_NO_FILE_LIST_FOUND: [
    'Nenhuma lista de arquivos encontrada com este ID.',
    'No file list found with this ID.',
    'No se encontró ninguna lista de archivos con este ID.',
    'Bu kimlikle dosya listesi bulunamadı.',
  ],
  ERR_FILE_LIST_IN_USE: [
    'Filas ou opções ainda enviam esta lista de arquivos. Escolha o que enviam no lugar dela.',
    'Queues or options still send this file list. Choose what they send instead.',
    'Colas u opciones todavía envían esta lista de archivos. Elija qué envían en su lugar.',
    'Kuyruklar ya da seçenekler bu dosya listesini hâlâ gönderiyor. Yerine ne göndereceklerini seçin.',
  ],
  ERR_FILE_LIST_MEDIA: [
    'Use imagens PNG ou JPG, áudios OGG, MP3 ou OPUS, vídeos MP4, ou documentos PDF, DOCX, XLSX ou TXT.',
    'Use PNG or JPG images, OGG, MP3 or OPUS audio, MP4 videos, or PDF, DOCX, XLSX or TXT documents.',
    'Use imágenes PNG o JPG, audios OGG, MP3 u OPUS, videos MP4, o documentos PDF, DOCX, XLSX o TXT.',
    'PNG veya JPG görsel, OGG, MP3 veya OPUS ses, MP4 video ya da PDF, DOCX, XLSX veya TXT belge kullanın.',
  ],
} as const satisfies ErrorTexts
