import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFieldValue, parseContactFields, typedFieldValue } from '#domain/contact-field/rules.ts'
import { contactTable } from '#tests/support/contact-table.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { extraRows, filledRows } from '#web/contact/extra-rows.ts'

const lines = 'CEP: texto\nRenda: número\nNascimento: data\nCliente: sim/não\nPlano: lista: Ouro, Prata'
const fields = parseContactFields(lines)!
const [, income, birthday, customer, plan] = fields

describe('the extra fields of a company', () => {
  it('are lines with a name and a type, in each language', () => {
    expect(fields.map(({ kind }) => kind)).toEqual(['text', 'number', 'date', 'boolean', 'list'])
    expect(plan).toEqual({ name: 'Plano', kind: 'list', options: ['Ouro', 'Prata'] })
    expect(parseContactFields('a: sayı\nb: fecha\nc: evet/hayır\nd: yes/no')?.map(({ kind }) => kind)).toEqual([
      ...['number', 'date', 'boolean', 'boolean'],
    ])
    expect(parseContactFields('')).toEqual([])
  })
  it.each(['sem tipo', 'a: cor', ': texto', 'a: lista', 'a: texto: x', 'CEP: texto\ncep: data'])('are refused as %j', (text) => {
    expect(parseContactFields(text)).toBeNull()
  })
  it.each([
    [birthday, '32933', '1990-03-01'],
    [birthday, '32933.75', '1990-03-01'],
    [birthday, '03/04/1990', '1990-04-03'],
    [birthday, '3.4.1990', '1990-04-03'],
    [birthday, '1990-03-01', '1990-03-01'],
    [birthday, '1990-03-01T00:00:00.000Z', '1990-03-01'],
    [birthday, '29/02/2024', '2024-02-29'],
    [birthday, '29/02/2023', null],
    [birthday, '04/25/1990', null],
    [birthday, '03/04/90', null],
    [birthday, '1990', null],
    [birthday, 'ontem', null],
    [income, '1250,5', '1250.5'],
    [income, '1.250,50', '1250.50'],
    [income, '1,250.50', '1250.50'],
    [income, '1.250.000', '1250000'],
    [income, '-3', '-3'],
    [income, '1.250', null],
    [income, 'mil', null],
    [customer, 'Sim', 'true'],
    [customer, 'hayır', 'false'],
    [customer, 'talvez', null],
    [plan, ' ouro', 'Ouro'],
    [plan, 'Bronze', null],
  ])('%o reads %j as %j', (field, text, value) => {
    expect(typedFieldValue(field!, text)).toBe(value)
    if (value !== null) expect(isFieldValue(field!, value)).toBe(true)
  })
  it('are rows of the form in their order, and empty ones are not stored', () => {
    const rows = extraRows(fields, [
      { name: 'Outra', value: 'x' },
      { name: 'plano', value: 'Prata' },
    ])
    expect(rows.map(({ name, value }) => `${name}=${value}`)).toEqual([
      'CEP=',
      'Renda=',
      'Nascimento=',
      'Cliente=',
      'plano=Prata',
      'Outra=x',
    ])
    const typed = rows.map((row) => (row.name === 'Renda' ? { ...row, value: '1,5' } : row))
    expect(filledRows(fields, typed)).toEqual([
      { name: 'Renda', value: '1.5' },
      { name: 'plano', value: 'Prata' },
      { name: 'Outra', value: 'x' },
    ])
  })
})

describe('a company with extra fields', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
    expect((await app.as('admin')('PUT', '/settings/contactFields', { value: lines })).status).toBe(200)
  })
  afterAll(() => app.stop())
  const create = (number: string, ...extraInfo: { name: string; value: string }[]) =>
    app.as('ana')('POST', '/contacts', { name: 'Com Extras', number, extraInfo })

  it('refuses a wrong list of fields', async () => {
    expect((await app.as('admin')('PUT', '/settings/contactFields', { value: 'CEP: cor' })).status).toBe(400)
    expect((await app.as('ana')('PUT', '/settings/contactFields', { value: '' })).status).toBe(403)
  })
  it('refuses a value of another type, but keeps one that is stored', async () => {
    expect(await create('5511985480001', { name: 'nascimento', value: '1/3/90' })).toMatchObject({
      status: 400,
      body: { error: 'ERR_CONTACT_FIELD' },
    })
    const { body } = await create('5511985480001', { name: 'Nascimento', value: '1990-03-01' }, { name: 'Livre', value: '?' })
    await app.db
      .updateTable('contact')
      .set({ extraInfo: JSON.stringify([{ id: 1, name: 'Renda', value: 'pouca' }]) })
      .where('id', '=', body.id)
      .execute()
    const change = (value: string) => app.as('ana')('PUT', `/contacts/${body.id}`, { extraInfo: [{ name: 'Renda', value }] })
    expect((await change('pouca')).status).toBe(200)
    expect((await change('muita')).body.error).toBe('ERR_CONTACT_FIELD')
    expect((await change('12.5')).body.extraInfo).toEqual([{ id: 1, name: 'Renda', value: '12.5' }])
  })
  it('imports values by their types, and ignores a row with a wrong one', async () => {
    const text = [
      'Nome;Número;nascimento;Renda;Cliente;Plano;Cor',
      'Primeira;5511985480011;32933;1.250,50;sim;ouro;azul',
      'Segunda;5511985480012;03/04/1990;;;;',
      'Terceira;5511985480013;ontem;;;;',
    ].join('\n')
    const { body: table } = await app.as('ana')('POST', '/contacts/upload', contactTable(text))
    expect(table.columns.map(({ field }: { field: string }) => field)).toEqual([
      ...['name', 'number', 'extra', 'extra', 'extra', 'extra', ''],
    ])
    expect(table.errors).toEqual([{ row: 4, code: 'ERR_CONTACT_FIELD' }])
    await app.as('ana')('POST', `/contacts/upload/${table.id}/begin`, { existing: 'update' })
    await app.settled()
    const extra = async (number: string) => {
      const { contacts } = (await app.as('ana')('GET', `/contacts?searchParam=${number}`)).body
      return contacts[0]?.extraInfo.map(({ name, value }: { name: string; value: string }) => `${name}=${value}`)
    }
    await expect.poll(() => extra('5511985480012'), { timeout: 60_000 }).toEqual(['Nascimento=1990-04-03'])
    expect(await extra('5511985480011')).toEqual(['Nascimento=1990-03-01', 'Renda=1250.50', 'Cliente=true', 'Plano=Ouro'])
    expect(await extra('5511985480013')).toBeUndefined()
  })
})
