import { words } from '#web/i18n.ts'

/** Texts of the files on a contact's page. */
export const fileWords = words({
  title: ['Arquivos', 'Files', 'Archivos', 'Dosyalar'],
  none: ['Nenhum arquivo ainda', 'No files yet', 'Aún no hay archivos', 'Henüz dosya yok'],
  image: ['Imagem', 'Image', 'Imagen', 'Görsel'],
  audio: ['Áudio', 'Voice message', 'Audio', 'Sesli mesaj'],
  video: ['Vídeo', 'Video', 'Video', 'Video'],
  application: ['Documento', 'Document', 'Documento', 'Belge'],
  internal: ['nota interna', 'internal note', 'nota interna', 'dahili not'],
  jump: ['Ir para a mensagem', 'Go to the message', 'Ir al mensaje', 'Mesaja git'],
  jumpOf: ['Ir para a mensagem de {name}', 'Go to the message with {name}', 'Ir al mensaje de {name}', '{name} mesajına git'],
})
