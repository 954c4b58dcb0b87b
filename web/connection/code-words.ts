import { words } from '#web/i18n.ts'

/** Texts of linking a phone by a typed code. */
export const codeWords = words({
  byNumber: [
    'Conectar com o número do celular',
    'Link with the phone number instead',
    'Vincular con el número de teléfono',
    'Bunun yerine telefon numarasıyla bağla',
  ],
  byPicture: ['Ler um código QR', 'Scan a QR code instead', 'Leer un código QR', 'Bunun yerine QR kodu okut'],
  number: ['Número do celular', 'Phone number', 'Número del teléfono', 'Telefon numarası'],
  numberHint: [
    'Com o código do país, como +55 11 91234-5678.',
    'With its country code, such as +55 11 91234-5678.',
    'Con el código de país, como +55 11 91234-5678.',
    'Ülke koduyla, örneğin +55 11 91234-5678.',
  ],
  numberWrong: [
    'Escreva o número inteiro, com o código do país.',
    'Enter the whole number, with its country code.',
    'Escriba el número completo, con el código de país.',
    'Numarayı ülke koduyla eksiksiz yazın.',
  ],
  importsLess: [
    'Por um código digitado, o celular entrega só as conversas dos últimos meses. Para importar também as mais antigas, leia o código QR.',
    'With a typed code the phone provides only the conversations of the last months. To import older ones too, scan the QR code.',
    'Con un código escrito el teléfono entrega solo las conversaciones de los últimos meses. Para importar también las anteriores, lea el código QR.',
    'Yazılan kodla telefon yalnızca son ayların görüşmelerini verir. Daha eskilerini de aktarmak için QR kodu okutun.',
  ],
  ask: ['Gerar código', 'Get a code', 'Generar código', 'Kod al'],
  typeSteps: [
    'No celular {number}, abra o WhatsApp, toque em Dispositivos conectados, Conectar dispositivo, Conectar com número de telefone, e digite o código.',
    'On the phone {number} open WhatsApp, tap Linked devices, Link a device, Link with phone number instead, and type the code.',
    'En el teléfono {number} abra WhatsApp, toque Dispositivos vinculados, Vincular dispositivo, Vincular con el número de teléfono, y escriba el código.',
    '{number} numaralı telefonda WhatsApp’ı açın, Bağlı cihazlar, Cihaz bağla, Telefon numarasıyla bağla’ya dokunun ve kodu yazın.',
  ],
  copy: ['Copiar o código', 'Copy the code', 'Copiar el código', 'Kodu kopyala'],
  wasRemoved: [
    'Outra pessoa excluiu a conexão {name}',
    'Someone else deleted the connection {name}',
    'Otra persona eliminó la conexión {name}',
    '{name} bağlantısını başka biri sildi',
  ],
  until: ['Vale até {at}', 'Valid until {at}', 'Vale hasta las {at}', '{at} saatine kadar geçerli'],
})
