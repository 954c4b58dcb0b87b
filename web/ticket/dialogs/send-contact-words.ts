import { words } from '#web/i18n.ts'

export const sendContactWords = words({
  title: ['Enviar contato · {name}', 'Send a contact · {name}', 'Enviar contacto · {name}', 'Kişi gönder · {name}'],
  lead: [
    'O cliente recebe nome, número e e-mail do contato que você escolher.',
    'The customer receives the name, number and email of the contact that you choose.',
    'El cliente recibe el nombre, el número y el correo del contacto que usted elija.',
    'Müşteri, seçtiğiniz kişinin adını, numarasını ve e-postasını alır.',
  ],
  preview: ['Assim o cliente verá', 'What the customer will see', 'Así lo verá el cliente', 'Müşterinin göreceği'],
  hidden: [
    'O número deste contato está oculto para você: o cartão não pode ser enviado.',
    'The number of this contact is hidden from you, so its card cannot be sent.',
    'El número de este contacto está oculto para usted: no se puede enviar la tarjeta.',
    'Bu kişinin numarası sizden gizli: kartı gönderilemez.',
  ],
  nothing: [
    'Este contato não tem número nem e-mail para enviar.',
    'This contact has no number and no email to send.',
    'Este contacto no tiene número ni correo que enviar.',
    'Bu kişinin gönderilecek numarası ya da e-postası yok.',
  ],
  changed: [
    'Alguém respondeu enquanto você escolhia. Veja a conversa antes de enviar.',
    'Someone replied while you were choosing. Check the conversation before you send.',
    'Alguien respondió mientras elegía. Mire la conversación antes de enviar.',
    'Siz seçerken biri yanıtladı. Göndermeden önce görüşmeye bakın.',
  ],
})
