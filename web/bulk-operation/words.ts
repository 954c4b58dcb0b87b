import { words } from '#web/i18n.ts'

export const workWords = words({
  title: ['Trabalhos em andamento', 'Work in progress', 'Trabajos en curso', 'Süren işler'],
  running: ['{done} de {all}', '{done} of {all}', '{done} de {all}', '{done} / {all}'],
  ended: ['Trabalhos concluídos', 'Finished work', 'Trabajos terminados', 'Biten işler'],
  closeTickets: ['Encerrar atendimentos', 'Closing tickets', 'Cerrar tickets', 'Talepleri kapatma'],
  closedOne: ['1 atendimento encerrado', '1 ticket closed', '1 ticket cerrado', '1 talep kapatıldı'],
  closed: ['{n} atendimentos encerrados', '{n} tickets closed', '{n} tickets cerrados', '{n} talep kapatıldı'],
  reopenedOne: ['1 atendimento reaberto', '1 ticket reopened', '1 ticket reabierto', '1 talep yeniden açıldı'],
  reopened: ['{n} atendimentos reabertos', '{n} tickets reopened', '{n} tickets reabiertos', '{n} talep yeniden açıldı'],
  reopenedSome: [
    '{n} de {all} atendimentos reabertos; os outros já seguiram adiante',
    '{n} of {all} tickets reopened; the others have already changed',
    '{n} de {all} tickets reabiertos; los demás ya siguieron adelante',
    '{all} talepten {n} tanesi yeniden açıldı; diğerleri çoktan ilerledi',
  ],
  stopped: [
    'Parado em {done} de {all}',
    'Stopped at {done} of {all}',
    'Detenido en {done} de {all}',
    '{all} içinden {done} sonrası durduruldu',
  ],
  endedWithErrorsOne: ['1 item foi recusado', '1 item was refused', '1 elemento fue rechazado', '1 öğe reddedildi'],
  endedWithErrors: ['{n} itens foram recusados', '{n} items were refused', '{n} elementos fueron rechazados', '{n} öğe reddedildi'],
  errorsFile: ['Baixar os recusados', 'Download refused items', 'Descargar los rechazados', 'Reddedilenleri indir'],
  item: ['Atendimento', 'Ticket', 'Ticket', 'Talep'],
  why: ['Motivo', 'Reason', 'Motivo', 'Neden'],
  stop: ['Parar', 'Stop', 'Detener', 'Durdur'],
  undo: ['Desfazer', 'Undo', 'Deshacer', 'Geri al'],
  dismiss: ['Dispensar', 'Dismiss', 'Descartar', 'Kapat'],
  begun: [
    'Encerrando {n} atendimentos. O andamento fica no topo da página.',
    'Closing {n} tickets. The progress is at the top of the page.',
    'Cerrando {n} tickets. El avance está en la parte superior de la página.',
    '{n} talep kapatılıyor. İlerleme sayfanın üstünde.',
  ],
  begunOne: [
    'Encerrando 1 atendimento. O andamento fica no topo da página.',
    'Closing 1 ticket. The progress is at the top of the page.',
    'Cerrando 1 ticket. El avance está en la parte superior de la página.',
    '1 talep kapatılıyor. İlerleme sayfanın üstünde.',
  ],
})
