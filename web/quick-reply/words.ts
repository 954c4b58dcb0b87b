import { words } from '#web/i18n.ts'

export const replyWords = words({
  title: ['Respostas rápidas', 'Quick replies', 'Respuestas rápidas', 'Hızlı yanıtlar'],
  add: ['Nova resposta', 'New reply', 'Nueva respuesta', 'Yeni yanıt'],
  edit: ['Editar resposta', 'Edit reply', 'Editar respuesta', 'Yanıtı düzenle'],
  empty: ['Nenhuma resposta rápida ainda', 'No quick replies yet', 'Aún no hay respuestas rápidas', 'Henüz hızlı yanıt yok'],
  lead: [
    'Digite / na conversa para usar uma resposta pronta.',
    'Type / in a conversation to use a ready reply.',
    'Escriba / en la conversación para usar una respuesta lista.',
    'Hazır yanıt kullanmak için konuşmada / yazın.',
  ],
  shortcode: ['Atalho', 'Shortcode', 'Atajo', 'Kısa kod'],
  message: ['Mensagem', 'Message', 'Mensaje', 'Mesaj'],
  shared: ['De todos', 'Shared', 'De todos', 'Ortak'],
  visible: ['Visível', 'Visible', 'Visible', 'Görünür'],
  mine: ['Só sua', 'Only yours', 'Solo suya', 'Yalnız sizin'],
  kind: ['Quem usa', 'Who uses it', 'Quién la usa', 'Kim kullanır'],
  geral: ['Compartilhar com todos', 'Share with everyone', 'Compartir con todos', 'Herkesle paylaş'],
  geralHint: [
    'Qualquer pessoa da empresa usa e edita.',
    'Anyone in the company uses and edits it.',
    'Cualquier persona de la empresa la usa y la edita.',
    'Şirketteki herkes kullanır ve düzenler.',
  ],
  visao: ['Permitir que outros vejam', 'Let others see it', 'Permitir que otros la vean', 'Başkaları görebilsin'],
  visaoHint: [
    'Outras pessoas usam; só você edita.',
    'Others use it; only you edit it.',
    'Otros la usan; solo usted la edita.',
    'Başkaları kullanır; yalnız siz düzenlersiniz.',
  ],
})
