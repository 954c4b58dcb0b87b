import { type TextRow, textsOf } from '#domain/report/texts.ts'

const texts = {
  subject: ['{filter}: {from} a {to}', '{filter}: {from} to {to}', '{filter}: {from} a {to}', '{filter}: {from} – {to}'],
  test: ['[Teste] {subject}', '[Test] {subject}', '[Prueba] {subject}', '[Test] {subject}'],
  summary: [
    'Olá, {name}!\n\nRelatório “{filter}” de {from} a {to} (horário de {zone}), nas filas, conexões e atendentes do filtro:\n\nCriados: {created}\nFinalizados: {finalized}\nAvaliados: {rated}\nEspera (mediana): {waiting}',
    'Hello, {name}!\n\nReport “{filter}” from {from} to {to} (time of {zone}), for the queues, connections and agents of the filter:\n\nCreated: {created}\nFinalized: {finalized}\nRated: {rated}\nWaiting time (median): {waiting}',
    'Hola, {name}:\n\nInforme «{filter}» del {from} al {to} (hora de {zone}), en las colas, conexiones y agentes del filtro:\n\nCreados: {created}\nFinalizados: {finalized}\nCalificados: {rated}\nEspera (mediana): {waiting}',
    'Merhaba {name},\n\n“{filter}” raporu, {from} – {to} ({zone} saatiyle), filtredeki kuyruk, bağlantı ve temsilciler için:\n\nAçılan: {created}\nSonuçlanan: {finalized}\nDeğerlendirilen: {rated}\nBekleme (ortanca): {waiting}',
  ],
  attached: [
    'Atendimentos no arquivo anexo: {rows}\n\nO mesmo relatório na tela:\n{link}',
    'Tickets in the attached file: {rows}\n\nThe same report on the screen:\n{link}',
    'Tickets en el archivo adjunto: {rows}\n\nEl mismo informe en la pantalla:\n{link}',
    'Ekteki dosyadaki talepler: {rows}\n\nAynı rapor ekranda:\n{link}',
  ],
  linked: [
    'O arquivo é grande demais para um e-mail. Abra o relatório e exporte-o aqui:\n{link}',
    'The file is too large for an email. Open the report and export it here:\n{link}',
    'El archivo es demasiado grande para un correo. Abra el informe y expórtelo aquí:\n{link}',
    'Dosya bir e-posta için çok büyük. Raporu buradan açıp dışa aktarın:\n{link}',
  ],
  late: [
    'Este e-mail deveria ter saído em {day}; o servidor estava parado.',
    'This email was due on {day}; the server was down.',
    'Este correo debía salir el {day}; el servidor estaba detenido.',
    'Bu e-posta {day} günü gönderilmeliydi; sunucu kapalıydı.',
  ],
} as const satisfies Record<string, TextRow>
export const reportMailText = textsOf<keyof typeof texts>(texts)
