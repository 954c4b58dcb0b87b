import { words } from '#web/i18n.ts'

/** Texts of selecting several messages. */
export const pickWords = words({
  pick: ['Selecionar', 'Select', 'Seleccionar', 'Seç'],
  pickThis: ['Selecionar: {text}', 'Select: {text}', 'Seleccionar: {text}', 'Seç: {text}'],
  none: ['Nenhuma mensagem selecionada', 'No message selected', 'Ningún mensaje seleccionado', 'Mesaj seçilmedi'],
  one: ['1 mensagem selecionada', '1 message selected', '1 mensaje seleccionado', '1 mesaj seçildi'],
  many: ['{n} mensagens selecionadas', '{n} messages selected', '{n} mensajes seleccionados', '{n} mesaj seçildi'],
  stop: ['Cancelar (Esc)', 'Cancel (Esc)', 'Cancelar (Esc)', 'Vazgeç (Esc)'],
  going: ['Encaminhando: {n} de {total}', 'Forwarding: {n} of {total}', 'Reenviando: {n} de {total}', 'İletiliyor: {n}/{total}'],
  goneInPart: [
    '{n} de {total} encaminhadas; o resto foi cancelado',
    '{n} of {total} forwarded; the rest was cancelled',
    '{n} de {total} reenviados; el resto se canceló',
    '{total} mesajdan {n} tanesi iletildi, kalanı iptal edildi',
  ],
  gone: ['{n} mensagens encaminhadas', '{n} messages forwarded', '{n} mensajes reenviados', '{n} mesaj iletildi'],
})
