import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importChanges } from '#domain/contact-import/changes.ts'
import { importedContact } from '#domain/contact-import/rules.ts'
import { guessFields, hasTitles } from '#domain/contact-import/table.ts'
import { contactTable } from '#tests/support/contact-table.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const ana = (method: string, path: string, body?: object) => app.as('ana')(method, path, body)
const upload = async (rows: string[][]) =>
  (await ana('POST', '/contacts/upload', contactTable(rows.map((row) => row.join(',')).join('\r\n'), 'contacts.csv'))).body
const imported = async (id: number) => {
  const { body: work } = await ana('POST', `/contacts/upload/${id}/begin`, { existing: 'update' })
  const state = async () => (await ana('GET', '/works')).body.find((one: { id: number }) => one.id === work.id).state
  await expect.poll(state, { timeout: 60_000 }).toBe('done')
}
const found = async (number: string) => (await ana('GET', `/contacts?searchParam=${number}`)).body.contacts
const google = [
  ...['First Name', 'Middle Name', 'Last Name', 'Phonetic First Name', 'Name Prefix', 'Nickname', 'Notes', 'Photo', 'Labels'],
  ...['E-mail 1 - Label', 'E-mail 1 - Value', 'Phone 1 - Label', 'Phone 1 - Value', 'Phone 2 - Label', 'Phone 2 - Value'],
]
const person = (values: Record<string, string>) => google.map((title) => values[title] ?? '')

describe('the columns of an address book are found', () => {
  it.each<[string, Record<string, string>]>([
    [
      'Google Contacts',
      {
        ...{ 'First Name': 'name', 'Middle Name': 'name', 'Last Name': 'name', 'Phonetic First Name': '', Notes: 'extra' },
        ...{ Labels: 'tags', 'E-mail 1 - Label': '', 'E-mail 1 - Value': 'email', 'Phone 1 - Value': 'number', 'Phone 2 - Value': '' },
      },
    ],
    [
      'an older Google Contacts',
      {
        ...{ Name: 'name', 'Given Name': '', 'Additional Name': '', 'Family Name': '', 'Group Membership': 'tags' },
        ...{ 'E-mail 1 - Value': 'email', 'Phone 1 - Type': '', 'Phone 1 - Value': 'number' },
      },
    ],
    [
      'Outlook',
      {
        ...{ 'First Name': 'name', 'Middle Name': 'name', 'Last Name': 'name', 'E-mail Address': 'email', 'E-mail 2 Address': '' },
        ...{ 'Business Phone': '', 'Mobile Phone': 'number', Categories: 'tags' },
      },
    ],
    ['Portuguese', { Nome: 'name', 'Segundo nome': 'name', Sobrenome: 'name', 'Endereço de email': 'email', 'Telefone celular': 'number' }],
    ['Spanish', { Nombre: 'name', 'Segundo nombre': 'name', Apellidos: 'name', 'Teléfono móvil': 'number', Categorías: 'tags' }],
    [
      'Turkish',
      { Ad: 'name', 'İkinci Ad': 'name', Soyadı: 'name', 'E-posta Adresi': 'email', 'Cep Telefonu': 'number', Kategoriler: 'tags' },
    ],
    ['another order', { Sobrenome: 'name', 'Primeiro nome': 'name', Celular: 'number' }],
    ['a whole name beside its parts', { 'Nome completo': 'name', Nome: '', Sobrenome: '', Número: 'number' }],
    ['a contact beside a name', { Nome: 'name', Contato: '', Telefone: 'number' }],
    ['a family name twice', { Nombre: 'name', 'Primer apellido': 'name', 'Segundo apellido': 'name', Teléfono: 'number' }],
  ])('of %s', (_, fields) => {
    const columns = Object.keys(fields)
    expect(hasTitles([columns])).toBe(true)
    expect(Object.fromEntries(columns.map((title, at) => [title, guessFields(columns, [])[at]]))).toEqual(fields)
  })
})

describe('a value of Google Contacts', () => {
  const row = (of: object) => importedContact({ name: 'Rita', number: '11 98555-7070', email: '', tags: '', extra: [], ...of }, 'BR')
  it.each([
    ['* myContacts ::: Clientes', ['Clientes']],
    ['* myContacts', []],
    ['Clientes, VIP ::: Zona Sul ::: * myContacts', ['Clientes, VIP', 'Zona Sul']],
    ['* friends ::: * starred', ['friends']],
    ['* Vip', ['Vip']],
  ])('has its labels as tags: %s', (tags, names) => {
    expect(row({ tags }).tags).toEqual(names)
  })
  it('with several numbers and addresses gives the first that is valid', () => {
    expect(row({ number: '11 98555-7071 ::: 11 98555-7072' }).number).toBe('5511985557071')
    expect(row({ number: '190 ::: +55 11 98555-7072' }).number).toBe('5511985557072')
    expect(row({ email: 'rita@casa.test ::: outra@casa.test' }).email).toBe('rita@casa.test')
    expect(() => row({ number: '190 ::: 191' })).toThrow(expect.objectContaining({ code: 'ERR_WAPP_INVALID_CONTACT' }))
    expect(() => row({ number: ' ::: ' })).toThrow(expect.objectContaining({ code: 'ERR_IMPORT_NUMBER' }))
  })
})

it.each<[string, string, string | null]>([
  ['Maria', 'Maria da Silva Sauro', null],
  ['Maria Sauro', 'Maria da Silva Sauro', null],
  ['maria', 'María Sauro', null],
  ['Maria Souza', 'Maria da Silva Sauro', 'Maria Souza'],
  ['Maria da Silva Sauro', 'Maria', 'Maria da Silva Sauro'],
  ['MARIA', 'Maria', 'MARIA'],
])('the parts %j of a name replace %j only if they are no part of it', (name, before, after) => {
  const changes = (hasNameParts: boolean) => {
    const contact = importedContact({ name, hasNameParts, number: '5511985557070', email: '', tags: '', extra: [] }, 'BR')
    return importChanges({ name: before, email: '', tags: [], extraInfo: [] }, contact).map((change) => change.after)
  }
  expect(changes(true)).toEqual(after === null ? [] : [after])
  expect(changes(false)).toEqual([name])
})

it('a file of Google Contacts is imported with whole names, labels and numbers, and shortens no name', async () => {
  const [known, short, fresh] = ['11985550801', '11985550802', '11985550803'] as const
  for (const number of [known, short]) await ana('POST', '/contacts', { name: 'Maria da Silva Sauro', number })
  const table = await upload([
    google,
    person({ 'First Name': 'Maria', 'Middle Name': 'da Silva', 'Last Name': 'Sauro', 'Phone 1 - Value': known }),
    person({ 'First Name': 'Maria', 'Phone 1 - Value': short, 'E-mail 1 - Value': 'm@casa.test' }),
    person({ 'First Name': 'José', 'Last Name': 'Prado', Labels: '* myContacts ::: Clientes', 'Phone 1 - Value': `190 ::: ${fresh}` }),
  ])
  expect(table.counts).toEqual({ created: 1, updated: 1, unchanged: 1, leftOut: 0, ignored: 0 })
  expect(table.rows[1].changes).toEqual([{ field: 'email', name: '', before: '', after: 'm@casa.test' }])
  await imported(table.id)
  expect(await found(known)).toMatchObject([{ name: 'Maria da Silva Sauro' }])
  expect(await found(short)).toMatchObject([{ name: 'Maria da Silva Sauro', email: 'm@casa.test' }])
  expect(await found(fresh)).toMatchObject([{ name: 'José Prado', tags: [{ name: 'Clientes' }] }])
})

it('several columns may be chosen for the name, and only one for the number (R-CIMPORT-02)', async () => {
  const table = await upload([
    ['Apelido', 'Família', 'Telefone', 'Outro'],
    ['Zé', 'Prado', '11985550811', '11985550812'],
  ])
  const choose = (fields: string[]) => ana('PUT', `/contacts/upload/${table.id}`, { fields })
  const refused = await choose(['name', 'name', 'number', 'number'])
  expect([refused.status, refused.body.error]).toEqual([400, 'ERR_IMPORT_FIELD_TWICE'])
  expect((await choose(['name', 'name', 'number', ''])).body.counts).toMatchObject({ created: 1, ignored: 0 })
  await imported(table.id)
  expect(await found('11985550811')).toMatchObject([{ name: 'Zé Prado' }])
})
