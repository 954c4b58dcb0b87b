import type { ErrorTexts } from '#domain/errors.ts'

export const contactImportErrors = {
  ERR_IMPORT_TEXT: [
    'O texto tem letras estragadas, como “Ã§” ou “�”. Escolha outra codificação ou corrija a linha.',
    'The text has damaged letters, such as “Ã§” or “�”. Choose another encoding, or correct the row.',
    'El texto tiene letras dañadas, como “Ã§” o “�”. Elija otra codificación o corrija la fila.',
    'Metinde “Ã§” veya “�” gibi bozuk harfler var. Başka bir kodlama seçin ya da satırı düzeltin.',
  ],
  ERR_IMPORT_NAME: [
    'O nome está vazio ou tem menos de 2 ou mais de 250 letras.',
    'The name is empty, or it has fewer than 2 or more than 250 characters.',
    'El nombre está vacío o tiene menos de 2 o más de 250 letras.',
    'Ad boş ya da 2 karakterden kısa veya 250 karakterden uzun.',
  ],
  ERR_IMPORT_NUMBER: ['O número está vazio.', 'The number is empty.', 'El número está vacío.', 'Numara boş.'],
  ERR_IMPORT_NO_PHONE: [
    'Grupos e contatos sem número de telefone não são importados; o que já existe fica como está.',
    'Groups and contacts without a phone number are not imported; those that exist stay as they are.',
    'Los grupos y contactos sin número de teléfono no se importan; los que existen quedan como están.',
    'Gruplar ve telefon numarası olmayan kişiler içe aktarılmaz; var olanlar olduğu gibi kalır.',
  ],
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
  ERR_IMPORT_EXTRA: [
    'Uma informação extra tem até 2.000 letras, e um contato até 50.',
    'An extra field has up to 2,000 characters, and a contact up to 50 extra fields.',
    'Una información extra tiene hasta 2.000 letras, y un contacto hasta 50.',
    'Bir ek bilgi en çok 2.000 karakter olur, bir kişinin en çok 50 ek bilgisi olur.',
  ],
  ERR_IMPORT_REPEATED: [
    'Este número já está em uma linha anterior do arquivo.',
    'This number is already in an earlier row of the file.',
    'Este número ya está en una fila anterior del archivo.',
    'Bu numara dosyanın önceki bir satırında zaten var.',
  ],
  ERR_IMPORT_FILE: [
    'Arquivo inválido! Escolha uma planilha .xlsx ou .xls, ou um texto .csv ou .txt.',
    'Invalid file! Choose an .xlsx or .xls spreadsheet, or a .csv or .txt file.',
    '¡Archivo no válido! Elija una hoja de cálculo .xlsx o .xls, o un texto .csv o .txt.',
    'Geçersiz dosya! Bir .xlsx veya .xls tablosu ya da .csv veya .txt dosyası seçin.',
  ],
  ERR_IMPORT_ROWS: [
    'O arquivo tem mais de {limit} linhas. Divida-o em partes.',
    'The file has more than {limit} rows. Split it into parts.',
    'El archivo tiene más de {limit} filas. Divídalo en partes.',
    'Dosyada {limit} satırdan fazlası var. Parçalara bölün.',
  ],
  ERR_IMPORT_COLUMNS: [
    'O arquivo tem mais de {limit} colunas.',
    'The file has more than {limit} columns.',
    'El archivo tiene más de {limit} columnas.',
    'Dosyada {limit} sütundan fazlası var.',
  ],
  ERR_IMPORT_EMPTY: ['Nenhum contato no arquivo.', 'No contact in the file.', 'Ningún contacto en el archivo.', 'Dosyada kişi yok.'],
  ERR_IMPORT_PHONE: [
    'O celular da conexão padrão ainda não enviou estes contatos. Só um celular ligado por QR code os envia, pouco depois de ser ligado.',
    'The phone of the default connection has not sent these contacts yet. Only a phone linked by QR code sends them, soon after it is linked.',
    'El teléfono de la conexión predeterminada aún no envió estos contactos. Solo un teléfono vinculado por código QR los envía, poco después de vincularse.',
    'Varsayılan bağlantının telefonu bu kişileri henüz göndermedi. Bunları yalnızca karekodla bağlanan bir telefon, bağlandıktan kısa süre sonra gönderir.',
  ],
  ERR_IMPORT_NUMBER_FIELD: [
    'Não foi selecionado o campo de número do contato',
    'No column was chosen for the number of the contact',
    'No se seleccionó el campo de número del contacto',
    'Kişinin numarası için sütun seçilmedi',
  ],
  ERR_IMPORT_NAME_FIELD: [
    'Não foi selecionado o campo de nome do contato',
    'No column was chosen for the name of the contact',
    'No se seleccionó el campo de nombre del contacto',
    'Kişinin adı için sütun seçilmedi',
  ],
  ERR_IMPORT_FIELD_TWICE: [
    'Cada campo pode ser selecionado só uma vez.',
    'Each field can be chosen only once.',
    'Cada campo se puede seleccionar solo una vez.',
    'Her alan yalnızca bir kez seçilebilir.',
  ],
  ERR_IMPORT_NO_ROWS: ['Nenhum contato selecionado', 'No contact selected', 'Ningún contacto seleccionado', 'Hiçbir kişi seçilmedi'],
  ERR_IMPORT_BEGUN: [
    'Esta importação já começou.',
    'This import has already started.',
    'Esta importación ya comenzó.',
    'Bu içe aktarma zaten başladı.',
  ],
  ERR_IMPORT_CHECKING: [
    'As linhas ainda estão sendo verificadas. Tente de novo em instantes.',
    'The rows are still being checked. Try again in a moment.',
    'Las filas aún se están verificando. Inténtelo de nuevo en un momento.',
    'Satırlar hâlâ denetleniyor. Birazdan yeniden deneyin.',
  ],
} as const satisfies ErrorTexts
