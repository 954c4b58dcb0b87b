import { words } from '#web/i18n.ts'

/** Texts below a field for customer texts. */
export const customerTextWords = words({
  insert: ['Inserir variável ou resposta', 'Insert a variable or reply', 'Insertar variable o respuesta', 'Değişken ya da yanıt ekle'],
  quickReply: ['Texto de uma resposta rápida', 'Text of a quick reply', 'Texto de una respuesta rápida', 'Hızlı yanıtın metni'],
  findReply: ['Buscar resposta rápida', 'Find a quick reply', 'Buscar respuesta rápida', 'Hızlı yanıt ara'],
  noReply: ['Nenhuma resposta rápida assim.', 'No such quick reply.', 'Ninguna respuesta rápida así.', 'Böyle bir hızlı yanıt yok.'],
  loading: ['Carregando…', 'Loading…', 'Cargando…', 'Yükleniyor…'],
  failed: [
    'As respostas rápidas não carregaram.',
    'The quick replies did not load.',
    'Las respuestas rápidas no cargaron.',
    'Hızlı yanıtlar yüklenemedi.',
  ],
  toNames: ['Voltar às variáveis', 'Back to the variables', 'Volver a las variables', 'Değişkenlere dön'],
  withoutFile: [
    'Entra só o texto, sem o arquivo',
    'Only the text is inserted, not the file',
    'Entra solo el texto, sin el archivo',
    'Yalnızca metni eklenir, dosyası değil',
  ],
  nome: ['Nome do contato', 'Contact name', 'Nombre del contacto', 'Kişinin adı'],
  'primeiro nome': ['Primeiro nome do contato', 'Contact’s first name', 'Primer nombre del contacto', 'Kişinin ilk adı'],
  numero: ['Número do contato', 'Contact number', 'Número del contacto', 'Kişinin numarası'],
  email: ['E-mail do contato', 'Contact email', 'Correo del contacto', 'Kişinin e-postası'],
  atendente: ['Nome do atendente', 'Agent’s name', 'Nombre del agente', 'Temsilcinin adı'],
  fila: ['Nome da fila', 'Queue name', 'Nombre de la cola', 'Kuyruğun adı'],
  position: ['Lugar na fila', 'Position in the queue', 'Lugar en la cola', 'Kuyruktaki sıra'],
  previewWith: ['Prévia com {name}', 'Preview with {name}', 'Vista previa con {name}', '{name} ile önizleme'],
  another: [
    'Escolher outro contato para a prévia',
    'Choose another contact for the preview',
    'Elegir otro contacto para la vista previa',
    'Önizleme için başka kişi seç',
  ],
  unknown: [
    'Não substituído: {names}. O cliente lê o texto como está.',
    'Not replaced: {names}. The customer reads the text as it is.',
    'Sin reemplazar: {names}. El cliente lee el texto tal cual.',
    'Değiştirilmedi: {names}. Müşteri metni olduğu gibi okur.',
  ],
})
