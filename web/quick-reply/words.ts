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
  alsoShared: [
    'Já existe uma resposta de todos com este atalho: ao digitar, as duas aparecem.',
    'There is a shared reply with this shortcode: typing it offers both.',
    'Ya existe una respuesta de todos con este atajo: al escribirlo aparecen ambas.',
    'Bu kısa kodla ortak bir yanıt var: yazınca ikisi de çıkar.',
  ],
  goesForAll: [
    'Todos usam esta resposta. Ela deixa de existir para todos e não volta.',
    'Everyone uses this reply. It goes for everyone and does not come back.',
    'Todos usan esta respuesta. Deja de existir para todos y no vuelve.',
    'Bu yanıtı herkes kullanıyor. Herkes için silinir ve geri gelmez.',
  ],
  goesForSome: [
    'Outras pessoas usam esta resposta. Ela deixa de existir para elas também e não volta.',
    'Others use this reply. It goes for them too and does not come back.',
    'Otras personas usan esta respuesta. Deja de existir también para ellas y no vuelve.',
    'Bu yanıtı başkaları da kullanıyor. Onlar için de silinir ve geri gelmez.',
  ],
  goesForMe: [
    'Só você usa esta resposta. Ela não volta.',
    'Only you use this reply. It does not come back.',
    'Solo usted usa esta respuesta. No vuelve.',
    'Bu yanıtı yalnız siz kullanıyorsunuz. Geri gelmez.',
  ],
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
