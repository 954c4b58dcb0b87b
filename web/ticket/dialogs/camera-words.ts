import { words } from '#web/i18n.ts'

export const cameraWords = words({
  title: ['Tirar foto · {name}', 'Take a photo · {name}', 'Tomar una foto · {name}', 'Fotoğraf çek · {name}'],
  waiting: ['Aguardando a câmera…', 'Waiting for the camera…', 'Esperando la cámara…', 'Kamera bekleniyor…'],
  preview: ['Imagem da câmera', 'Picture of the camera', 'Imagen de la cámara', 'Kamera görseli'],
  photo: ['Foto tirada', 'Photo taken', 'Foto tomada', 'Çekilen fotoğraf'],
  take: ['Tirar foto', 'Take photo', 'Tomar foto', 'Fotoğraf çek'],
  retake: ['Tirar outra', 'Take another', 'Tomar otra', 'Yeniden çek'],
  use: ['Usar foto', 'Use photo', 'Usar foto', 'Fotoğrafı kullan'],
  denied: [
    'O navegador não liberou a câmera. Permita o acesso nas configurações do site e tente de novo.',
    'The browser did not allow the camera. Allow it in the site settings and try again.',
    'El navegador no permitió la cámara. Permítala en la configuración del sitio y reintente.',
    'Tarayıcı kameraya izin vermedi. Site ayarlarından izin verip yeniden deneyin.',
  ],
  missing: [
    'Nenhuma câmera encontrada. Conecte uma câmera ou anexe um arquivo.',
    'No camera found. Connect a camera, or attach a file instead.',
    'No se encontró ninguna cámara. Conecte una o adjunte un archivo.',
    'Kamera bulunamadı. Bir kamera bağlayın ya da dosya ekleyin.',
  ],
  busy: [
    'A câmera está em uso por outro programa. Feche-o e tente de novo.',
    'Another program is using the camera. Close it and try again.',
    'Otro programa está usando la cámara. Ciérrelo y reintente.',
    'Kamerayı başka bir program kullanıyor. Onu kapatıp yeniden deneyin.',
  ],
})
