/** Built-in texts to customers, in the company's language: one row per text, in the order of `customerLanguages`. */
export const customerLanguages = ['pt-BR', 'en', 'es', 'tr'] as const
export type CustomerLanguage = (typeof customerLanguages)[number]

const texts = {
  wrong: [
    'Opção inválida, por favor, escolha uma opção válida.',
    'Invalid option. Please choose a valid option.',
    'Opción no válida, por favor, elija una opción válida.',
    'Geçersiz seçenek, lütfen geçerli bir seçenek girin.',
  ],
  customer: ['Cliente', 'Customer', 'Cliente', 'Müşteri'],
  back: ['Voltar', 'Back', 'Volver', 'Geri'],
  first: ['Menu inicial', 'Main menu', 'Menú inicial', 'Ana menü'],
  yes: ['Sim', 'Yes', 'Sí', 'Evet'],
  no: ['Não', 'No', 'No', 'Hayır'],
  accepts: ['Aceito', 'I accept', 'Acepto', 'Kabul ediyorum'],
  declines: ['Não aceito', 'I do not accept', 'No acepto', 'Kabul etmiyorum'],
  oneOrTwo: [
    'Responda *1* para aceitar ou *2* para não aceitar.',
    'Reply *1* to accept or *2* to decline.',
    'Responda *1* para aceptar o *2* para no aceptar.',
    'Kabul etmek için *1*, etmemek için *2* yazın.',
  ],
  consentRefused: [
    'Tudo bem. Sem o seu consentimento não podemos atender por aqui, e este atendimento foi encerrado. Se mudar de ideia, escreva de novo.',
    'All right. Without your consent we cannot help you here, and this conversation was closed. If you change your mind, write to us again.',
    'De acuerdo. Sin su consentimiento no podemos atenderle por aquí, y esta conversación se cerró. Si cambia de idea, escriba de nuevo.',
    'Tamam. Onayınız olmadan size buradan hizmet veremeyiz ve bu görüşme kapatıldı. Fikriniz değişirse yeniden yazın.',
  ],
  chosen: [
    '*{fila}*: aguarde, alguém vai atender você por aqui.',
    '*{fila}*: please wait, someone will be with you shortly.',
    '*{fila}*: espere, alguien le atenderá por aquí.',
    '*{fila}*: lütfen bekleyin, biri sizinle buradan ilgilenecek.',
  ],
  lost: [
    'Não consegui resolver por aqui. Alguém da equipe vai continuar o seu atendimento.',
    'I could not help with this. Someone from the team will continue with you here.',
    'No pude ayudarle con esto. Alguien del equipo continuará con usted por aquí.',
    'Bunu çözemedim. Ekipten biri buradan sizinle devam edecek.',
  ],
  zeroToTen: [
    'Responda com um número de 0 a 10.',
    'Reply with a number from 0 to 10.',
    'Responda con un número de 0 a 10.',
    '0 ile 10 arasında bir sayıyla yanıtlayın.',
  ],
  transferred: [
    'Você foi transferido para o setor {fila}.',
    'You were transferred to {fila}.',
    'Fue transferido al sector {fila}.',
    '{fila} bölümüne aktarıldınız.',
  ],
  noAudio: [
    'No momento não recebemos mensagens de áudio por aqui. Por favor, escreva a sua mensagem.',
    'We cannot receive voice messages here at the moment. Please write your message.',
    'Por el momento no recibimos mensajes de audio por aquí. Por favor, escriba su mensaje.',
    'Şu anda buradan sesli mesaj alamıyoruz. Lütfen mesajınızı yazın.',
  ],
  /** Names of the files that store content too large for an event. */
  textFile: ['mensagem.txt', 'message.txt', 'mensaje.txt', 'mesaj.txt'],
  cardsFile: ['contatos.vcf', 'contacts.vcf', 'contactos.vcf', 'kişiler.vcf'],
} as const satisfies Record<string, Record<0 | 1 | 2 | 3, string>>

export const textIn = (language: CustomerLanguage, text: keyof typeof texts): string =>
  texts[text][customerLanguages.indexOf(language) as 0 | 1 | 2 | 3]
