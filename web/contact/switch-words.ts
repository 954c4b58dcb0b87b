import { words } from '#web/i18n.ts'

export const switchWords = words({
  bot: ['O bot responde', 'The bot replies', 'El bot responde', 'Bot yanıtlar'],
  audio: ['Aceitar áudios', 'Accept voice messages', 'Aceptar audios', 'Sesli mesaj kabul et'],
  audioHint: [
    'Desligado, o áudio fica guardado e o contato é avisado de que não é aceito.',
    'When off, voice messages are kept and the contact is told that they are not accepted.',
    'Desactivado, el audio se guarda y se avisa al contacto de que no se acepta.',
    'Kapalıyken sesli mesajlar saklanır ve kişiye kabul edilmediği bildirilir.',
  ],
  botOff: [
    'Desligar o bot para este contato',
    'Turn off the bot for this contact',
    'Desactivar el bot para este contacto',
    'Bu kişi için botu kapat',
  ],
  botOn: ['Ligar o bot para este contato', 'Turn on the bot for this contact', 'Activar el bot para este contacto', 'Bu kişi için botu aç'],
  botOffDone: [
    'O bot não responde mais a {name}.',
    'The bot no longer replies to {name}.',
    'El bot ya no responde a {name}.',
    'Bot artık {name} kişisine yanıt vermiyor.',
  ],
  botOnDone: [
    'O bot volta a responder a {name}.',
    'The bot replies to {name} again.',
    'El bot vuelve a responder a {name}.',
    'Bot {name} kişisine yeniden yanıt veriyor.',
  ],
  audioOnDone: [
    'Áudios de {name} são aceitos.',
    'Voice messages from {name} are accepted.',
    'Se aceptan los audios de {name}.',
    '{name} kişisinin sesli mesajları kabul ediliyor.',
  ],
  audioOffDone: [
    'Áudios de {name} não são aceitos.',
    'Voice messages from {name} are not accepted.',
    'No se aceptan los audios de {name}.',
    '{name} kişisinin sesli mesajları kabul edilmiyor.',
  ],
})
