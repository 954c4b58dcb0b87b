import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contactTable } from '#tests/support/contact-table.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const ana = (method: string, path: string, body?: object) => app.as('ana')(method, path, body)
const named = async (search: string) =>
  (await ana('GET', `/contacts?searchParam=${encodeURIComponent(search)}`)).body.contacts.map(({ name }: { name: string }) => name)

describe('a name has one space between its words', () => {
  it('when a contact is created and edited', async () => {
    const { body } = await ana('POST', '/contacts', { name: '  Ana\u00a0  Lima ', number: '11985550901' })
    expect(body.name).toBe('Ana Lima')
    expect((await ana('PUT', `/contacts/${body.id}`, { name: 'Ana   Souza  Lima' })).body.name).toBe('Ana Souza Lima')
    const short = await ana('PUT', `/contacts/${body.id}`, { name: ' A  ' })
    expect([short.status, short.body.error]).toEqual([400, 'ERR_INVALID_INPUT'])
  })
  it('when it is imported, alone or in a table', async () => {
    expect((await ana('POST', '/contactsImport', { name: 'Bia   Reis', number: '11985550902' })).body.name).toBe('Bia Reis')
    const { body: table } = await ana('POST', '/contacts/upload', contactTable('Nome;Número\nBia  Reis;11985550902\n'))
    expect(table.counts).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
  })
})

it('a stored name with more spaces is found as it is read, and an import does not change it', async () => {
  const { body } = await ana('POST', '/contacts', { name: 'Caio Prado', number: '11985550903' })
  await ana('POST', '/contacts', { name: 'Caio Antunes Prado', number: '11985550904' })
  await app.db.updateTable('contact').set({ name: 'Caio   Prado' }).where('id', '=', body.id).execute()
  expect(await named('caio prado')).toEqual(['Caio   Prado'])
  expect(await named('CAIO  PRADO')).toEqual(['Caio   Prado'])
  expect(await named('o p')).toEqual(['Caio   Prado'])
  expect((await named('caio')).length).toBe(2)
  expect(await named('c_o prado')).toEqual([])
  const { body: table } = await ana('POST', '/contacts/upload', contactTable('Nome;Número\nCaio Prado;11985550903\n'))
  expect(table.counts).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
})
