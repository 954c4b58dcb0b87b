import type { ErrorTexts } from '#domain/errors.ts'

export const chatbotErrors = {
  ERR_NO_CHATBOT_FOUND: [
    'Nenhuma opção encontrada com este ID.',
    'No option found with this ID.',
    'No se encontró ninguna opción con este ID.',
    'Bu kimlikle seçenek bulunamadı.',
  ],
  ERR_OPTION_OWN_QUEUE: [
    'Uma opção não pode levar à própria fila.',
    'An option cannot lead to its own queue.',
    'Una opción no puede llevar a su propia cola.',
    'Bir seçenek kendi kuyruğuna yönlendiremez.',
  ],
  ERR_OPTION_TWICE: [
    'Há duas opções com o mesmo nome no mesmo nível.',
    'Two options at the same level have the same name.',
    'Hay dos opciones con el mismo nombre en el mismo nivel.',
    'Aynı düzeyde aynı adlı iki seçenek var.',
  ],
  ERR_OPTIONS_TOO_MANY: [
    'O menu ficou grande demais: no máximo 8 níveis e 200 opções.',
    'The menu is too large: at most 8 levels and 200 options.',
    'El menú es demasiado grande: como máximo 8 niveles y 200 opciones.',
    'Menü çok büyük: en fazla 8 düzey ve 200 seçenek.',
  ],
  ERR_OPTION_LOOP: [
    'Uma opção não pode ficar abaixo de si mesma.',
    'An option cannot be below itself.',
    'Una opción no puede quedar debajo de sí misma.',
    'Bir seçenek kendisinin altında duramaz.',
  ],
} as const satisfies ErrorTexts
