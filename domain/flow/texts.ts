/** What a bot says by itself, beside the texts that a company writes: one row a text, in the order of `spoken`. */
export const spoken = ['pt-BR', 'en', 'es', 'tr'] as const
export type Spoken = (typeof spoken)[number]

/** The language that the bot speaks of itself: no company has one, and the published texts are in this one. */
export const botSpeaks: Spoken = 'pt-BR'

const texts = {
  wrong: [
    'Opção inválida, por favor, escolha uma opção válida.',
    'Invalid option, please choose a valid one.',
    'Opción no válida, por favor, elija una opción válida.',
    'Geçersiz seçenek, lütfen geçerli bir seçenek girin.',
  ],
  back: ['Voltar', 'Back', 'Volver', 'Geri'],
  first: ['Menu inicial', 'First menu', 'Menú inicial', 'Ana menü'],
  yes: ['Sim', 'Yes', 'Sí', 'Evet'],
  no: ['Não', 'No', 'No', 'Hayır'],
  accepts: ['Aceito', 'I accept', 'Acepto', 'Kabul ediyorum'],
  declines: ['Não aceito', 'I do not accept', 'No acepto', 'Kabul etmiyorum'],
  noAudio: [
    'No momento não recebemos mensagens de áudio por aqui. Por favor, escreva a sua mensagem.',
    'We cannot take voice messages here at the moment. Please write your message.',
    'Por el momento no recibimos mensajes de audio por aquí. Por favor, escriba su mensaje.',
    'Şu anda buradan sesli mesaj alamıyoruz. Lütfen mesajınızı yazın.',
  ],
} as const satisfies Record<string, Record<0 | 1 | 2 | 3, string>>

export const textIn = (language: Spoken, text: keyof typeof texts): string => texts[text][spoken.indexOf(language) as 0 | 1 | 2 | 3]
