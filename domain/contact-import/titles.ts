import { isExtraTitle } from '#domain/contact-field/rules.ts'
import { searchable } from '#domain/text/rules.ts'
import type { ImportField } from './contract.ts'

/* The titles of columns in tables of contacts, also those of the files of Google Contacts and Outlook. */

const titles: Record<Exclude<ImportField, 'name'>, readonly string[]> = {
  /** Notes are kept as an extra field. */
  extra: [
    ...['nota', 'notas', 'note', 'notes', 'not', 'notlar', 'obs', 'observacao', 'observacoes', 'observacion', 'observaciones'],
    ...['anotacao', 'anotacoes', 'comentario', 'comentarios', 'comment', 'comments'],
  ],
  number: [
    ...['numero', 'number', 'numara', 'telefone', 'phone', 'phone number', 'telefono', 'telefon', 'celular', 'mobile', 'movil', 'whatsapp'],
    ...['phone 1 - value', 'telefone 1 - valor', 'telefono 1 - valor', 'telefon 1 - deger', 'mobile phone', 'cell phone'],
    ...['telefone celular', 'telefono movil', 'telefono celular', 'cep telefonu'],
  ],
  email: [
    ...['email', 'e-mail', 'mail', 'correo', 'correo electronico', 'e-posta', 'eposta', 'email address', 'e-mail address'],
    ...['e-mail 1 - value', 'email 1 - value', 'e-mail 1 - valor', 'correo electronico 1 - valor', 'e-posta 1 - deger'],
    ...['endereco de e-mail', 'endereco de email', 'direccion de correo electronico', 'e-posta adresi'],
  ],
  tags: [
    ...['tags', 'tag', 'etiquetas', 'etiqueta', 'etiketler', 'etiket', 'labels', 'label', 'group membership'],
    ...['categories', 'categorias', 'kategoriler', 'marcadores', 'rotulos'],
  ],
}
const fieldNames = Object.keys(titles) as (keyof typeof titles)[]

const wholeNames = ['nome completo', 'full name', 'display name', 'nombre completo', 'ad soyad']
/** The whole name, or the first name if another column has the last name. */
const names = ['nome', 'name', 'nombre', 'ad', 'adi', 'isim', 'contato', 'contact']
const firstNames = ['first name', 'given name', 'primeiro nome', 'primer nombre', 'nombre de pila', 'ilk ad']
const furtherNames = [
  ...['middle name', 'additional name', 'nome do meio', 'segundo nome', 'segundo nombre', 'ikinci ad', 'orta ad'],
  ...[
    'last name',
    'family name',
    'surname',
    'sobrenome',
    'apellido',
    'apellidos',
    'primer apellido',
    'segundo apellido',
    'soyad',
    'soyadi',
  ],
]

const plain = (title: string) =>
  searchable(title)
    .replaceAll('ı', 'i')
    .replace(/[_:.*"]+/g, ' ')
    .trim()

/** Whether a column has only a part of the name. */
export const isNamePart = (title: string): boolean => [...firstNames, ...furtherNames].includes(plain(title))

/** The field of a column by its title. */
export function fieldOfTitle(title: string): ImportField | '' {
  if (isExtraTitle(title)) return 'extra'
  if ([...wholeNames, ...names].includes(plain(title)) || isNamePart(title)) return 'name'
  return fieldNames.find((field) => titles[field].includes(plain(title))) ?? ''
}

/** The columns that make the name: one with the whole name, or those of its parts. */
export function nameColumns(columns: string[]): number[] {
  const plainTitles = columns.map((title) => (isExtraTitle(title) ? '' : plain(title)))
  const titled = (list: string[]) => plainTitles.flatMap((title, at) => (list.includes(title) ? [at] : []))
  const [whole] = titled(wholeNames)
  const [name] = titled(names)
  const [first] = titled(firstNames)
  if (whole !== undefined) return [whole]
  if (name !== undefined && first !== undefined) return [name]
  const further = titled(furtherNames).filter((at) => plainTitles.indexOf(plainTitles[at]!) === at)
  return [name ?? first, ...further].filter((at) => at !== undefined).toSorted((a, b) => a - b)
}
