import { words } from '#web/i18n.ts'

export const userWords = words({
  picture: ['Sua foto', 'Your picture', 'Su foto', 'Fotoğrafınız'],
  image: ['Imagem', 'Image', 'Imagen', 'Görüntü'],
  pictureHint: [
    'JPEG, PNG, WebP ou GIF de até 16 MB. Fica o centro da imagem, e os colegas a veem no lugar das suas iniciais.',
    'JPEG, PNG, WebP or GIF, up to 16 MB. The middle of it is used, and colleagues see it instead of your initials.',
    'JPEG, PNG, WebP o GIF de hasta 16 MB. Se usa el centro de la imagen, y sus colegas la ven en lugar de sus iniciales.',
    '16 MB’a kadar JPEG, PNG, WebP veya GIF. Görüntünün ortası kullanılır; iş arkadaşlarınız baş harfleriniz yerine onu görür.',
  ],
  notPicture: [
    '{name} não é uma imagem JPEG, PNG, WebP ou GIF',
    '{name} is not a JPEG, PNG, WebP or GIF picture',
    '{name} no es una imagen JPEG, PNG, WebP o GIF',
    '{name} bir JPEG, PNG, WebP veya GIF görüntüsü değil',
  ],
  pictureUnread: [
    '{name} não pôde ser lida como imagem',
    '{name} could not be read as a picture',
    '{name} no se pudo leer como imagen',
    '{name} görüntü olarak okunamadı',
  ],
})
