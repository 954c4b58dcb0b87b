import { words } from '#web/i18n.ts'

export const templateWords = words({
  title: ['Modelos para {name}', 'Templates for {name}', 'Plantillas para {name}', '{name} için şablonlar'],
  find: ['Buscar um modelo', 'Find a template', 'Buscar una plantilla', 'Şablon ara'],
  refresh: ['Atualizar a lista', 'Refresh the list', 'Actualizar la lista', 'Listeyi yenile'],
  asOf: ['Lista de {at}', 'List of {at}', 'Lista de {at}', '{at} listesi'],
  none: ['Nenhum modelo nesta conta', 'No template in this account', 'Ninguna plantilla en esta cuenta', 'Bu hesapta şablon yok'],
  noneHint: [
    'Os modelos são criados e aprovados no Gerenciador do WhatsApp.',
    'Templates are created and approved in WhatsApp Manager.',
    'Las plantillas se crean y aprueban en el Administrador de WhatsApp.',
    'Şablonlar WhatsApp Yöneticisi’nde oluşturulur ve onaylanır.',
  ],
  noneFound: [
    'Nenhum modelo com “{search}”',
    'No template with “{search}”',
    'Ninguna plantilla con «{search}»',
    '“{search}” içeren şablon yok',
  ],
  back: ['Outro modelo', 'Another template', 'Otra plantilla', 'Başka şablon'],
  send: ['Enviar modelo', 'Send template', 'Enviar plantilla', 'Şablonu gönder'],
  as: ['Modelo · {category}', 'Template · {category}', 'Plantilla · {category}', 'Şablon · {category}'],
  sent: ['Modelo enviado', 'Template sent', 'Plantilla enviada', 'Şablon gönderildi'],
  preview: ['Como o contato vê', 'As the contact sees it', 'Como lo ve el contacto', 'Kişinin gördüğü'],
  example: ['Exemplo: {example}', 'Example: {example}', 'Ejemplo: {example}', 'Örnek: {example}'],
  header: ['Título, campo {name}', 'Title, field {name}', 'Título, campo {name}', 'Başlık, alan {name}'],
  body: ['Texto, campo {name}', 'Text, field {name}', 'Texto, campo {name}', 'Metin, alan {name}'],
  button: ['Botão, campo {name}', 'Button, field {name}', 'Botón, campo {name}', 'Düğme, alan {name}'],
  empty: ['Preencha este campo.', 'Fill in this field.', 'Complete este campo.', 'Bu alanı doldurun.'],
  line: ['Escreva em uma linha só.', 'Write it on a single line.', 'Escríbalo en una sola línea.', 'Tek satırda yazın.'],
  gap: [
    'No máximo quatro espaços seguidos.',
    'At most four spaces in a row.',
    'Como máximo cuatro espacios seguidos.',
    'Art arda en fazla dört boşluk.',
  ],
  media: [
    'Começa com uma localização: não pode ser enviado daqui.',
    'It begins with a location: it cannot be sent from here.',
    'Empieza con una ubicación: no se puede enviar desde aquí.',
    'Bir konumla başlıyor: buradan gönderilemez.',
  ],
  image: [
    'Imagem no início (JPEG ou PNG)',
    'Image at the top (JPEG or PNG)',
    'Imagen al inicio (JPEG o PNG)',
    'Baştaki görsel (JPEG ya da PNG)',
  ],
  video: ['Vídeo no início (MP4)', 'Video at the top (MP4)', 'Video al inicio (MP4)', 'Baştaki video (MP4)'],
  document: ['Documento no início (PDF)', 'Document at the top (PDF)', 'Documento al inicio (PDF)', 'Baştaki belge (PDF)'],
  fileNeeded: [
    'Escolha o arquivo com que o modelo começa.',
    'Choose the file that the template begins with.',
    'Elija el archivo con el que empieza la plantilla.',
    'Şablonun başındaki dosyayı seçin.',
  ],
  costs: [
    'O WhatsApp cobra este envio pela categoria {category}.',
    'WhatsApp charges for this message in the category {category}.',
    'WhatsApp cobra este envío por la categoría {category}.',
    'WhatsApp bunu {category} kategorisinden ücretlendirir.',
  ],
})
export const categoryWords = words({
  marketing: ['Marketing', 'Marketing', 'Marketing', 'Pazarlama'],
  utility: ['Utilidade', 'Utility', 'Utilidad', 'Yardımcı'],
  authentication: ['Autenticação', 'Authentication', 'Autenticación', 'Kimlik doğrulama'],
  unknown: ['Outra', 'Other', 'Otra', 'Diğer'],
})
export const templateStatusWords = words({
  approved: ['Aprovado', 'Approved', 'Aprobada', 'Onaylı'],
  pending: ['Em análise', 'In review', 'En revisión', 'İncelemede'],
  rejected: ['Recusado', 'Rejected', 'Rechazada', 'Reddedildi'],
  paused: ['Pausado', 'Paused', 'En pausa', 'Duraklatıldı'],
  disabled: ['Desativado', 'Disabled', 'Desactivada', 'Devre dışı'],
  unknown: ['Indisponível', 'Not available', 'No disponible', 'Kullanılamıyor'],
})
