import type { ErrorTexts } from '#domain/errors.ts'

export const contactImportErrors = {
  ERR_IMPORT_NAME: [
    'O nome está vazio ou tem menos de 2 ou mais de 250 letras.',
    'The name is empty, or it has fewer than 2 or more than 250 characters.',
    'El nombre está vacío o tiene menos de 2 o más de 250 letras.',
    'Ad boş ya da 2 karakterden kısa veya 250 karakterden uzun.',
  ],
  ERR_IMPORT_NUMBER: ['O número está vazio.', 'The number is empty.', 'El número está vacío.', 'Numara boş.'],
  ERR_IMPORT_SHORTENED: [
    'A planilha encurtou o número, como em 5,51E+12. Formate a coluna como texto e importe de novo.',
    'The spreadsheet has shortened the number, as in 5.51E+12. Format the column as text and import again.',
    'La hoja de cálculo acortó el número, como en 5,51E+12. Dé formato de texto a la columna e importe de nuevo.',
    'Tablo numarayı 5,51E+12 gibi kısaltmış. Sütunu metin olarak biçimlendirip yeniden içe aktarın.',
  ],
  ERR_IMPORT_EMAIL: [
    'O e-mail não é válido.',
    'The email address is not valid.',
    'El correo electrónico no es válido.',
    'E-posta adresi geçerli değil.',
  ],
  ERR_IMPORT_TAG: [
    'Uma tag tem de 3 a 100 letras, e um contato até 20 tags.',
    'A tag has 3 to 100 characters, and a contact up to 20 tags.',
    'Una etiqueta tiene de 3 a 100 letras, y un contacto hasta 20 etiquetas.',
    'Bir etiket 3 ile 100 karakter arasında olur, bir kişinin en çok 20 etiketi olur.',
  ],
} as const satisfies ErrorTexts
