import excel from 'exceljs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goOn } from '#app/bulk-operation/bulk-operations.ts'
import { importContacts } from '#app/contact-import/run.ts'
import { contactTable } from '#tests/support/contact-table.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const ana = (method: string, path: string, body?: object) => app.as('ana')(method, path, body)
const upload = (content: string | Uint8Array, fields?: Record<string, string>) =>
  ana('POST', '/contacts/upload', contactTable(content, 'c.csv', fields))
const begin = async (id: number, existing = 'update') => (await ana('POST', `/contacts/upload/${id}/begin`, { existing })).body
const workOf = async (id: number) => (await ana('GET', '/works')).body.find((one: { id: number }) => one.id === id)
const ended = async (id: number) => {
  await expect.poll(async () => (await workOf(id)).state, { timeout: 60_000 }).toBe('done')
  return workOf(id)
}
const result = async (id: number) => (await ana('GET', `/contacts/upload/${id}/result`)).body
const numbers = (from: number, n: number) => Array.from({ length: n }, (_, i) => `1198${4_100_000 + from + i}`)

describe('a table of contacts', () => {
  it('is checked, imported and counted; what is ignored has its row and reason in a file (A-IMP-06)', async () => {
    const [first, second, third] = numbers(0, 3)
    await ana('POST', '/contacts', { name: 'Já Estava', number: third })
    const text = `Nome;Telefone;Tags\nRita;${first};Feira\n=1+1;;\nZé;5,51E+12;\nOutra;${first};\nNova Ana;${second};\nMudou;${third};Feira\n`
    const { body: table } = await upload(text)
    expect(table).toMatchObject({ total: 6, hasHeader: true, separator: ';', counts: { created: 2, updated: 1, ignored: 3 } })
    expect(table.errors).toEqual([
      { row: 3, code: 'ERR_IMPORT_NUMBER' },
      { row: 4, code: 'ERR_IMPORT_SHORTENED' },
      { row: 5, code: 'ERR_IMPORT_REPEATED' },
    ])
    const work = await begin(table.id)
    expect(await ended(work.id)).toMatchObject({ total: 6, done: 6, changed: 3, failed: 3 })
    expect(await result(table.id)).toEqual({ total: 6, created: 2, updated: 1, unchanged: 0, ignored: 3 })
    const { contacts } = (await ana('GET', `/contacts?searchParam=${third}`)).body
    expect(contacts).toMatchObject([{ name: 'Mudou', tags: [{ name: 'Feira' }] }])

    const headers = { authorization: `Bearer ${await app.tokenOf('ana')}` }
    const file = await fetch(`${app.url}/api/contacts/upload/errors/${work.id}`, { headers })
    const book = new excel.Workbook()
    await book.xlsx.load(await file.arrayBuffer())
    const rows = book.worksheets[0]!.getSheetValues().slice(2) as unknown[][]
    expect(rows.map((row) => row[1])).toEqual([3, 4, 5])
    expect([rows[0]![2], rows[0]![6]]).toEqual(['=1+1', 'O número está vazio.'])
  })
  it('imports what is right, names what is not, and its corrected error file can be imported alone', async () => {
    const [first, second, third] = numbers(200, 3)
    const rows = [
      `Boa Um;${first};`,
      `Caio;${second};caio@@exemplo.test`,
      `${'x'.repeat(300)};${third};`,
      'Curta;123;',
      `Boa Dois;${numbers(203, 1)[0]};`,
    ]
    const { body: table } = await upload(`Nome;Número;E-mail\n${rows.join('\n')}\n`)
    expect(table.errors.map(({ row }: { row: number }) => row)).toEqual([3, 4, 5])
    const { id } = await begin(table.id)
    await ended(id)
    expect(await result(table.id)).toEqual({ total: 5, created: 2, updated: 0, unchanged: 0, ignored: 3 })
    const file = await fetch(`${app.url}/api/contacts/upload/errors/${id}`, {
      headers: { authorization: `Bearer ${await app.tokenOf('ana')}` },
    })
    const book = new excel.Workbook()
    await book.xlsx.load(await file.arrayBuffer())
    const sheet = book.worksheets[0]!
    const cell = (row: number, column: number) => sheet.getRow(row).getCell(column)
    expect([cell(2, 2).value, cell(2, 4).value, cell(4, 3).value]).toEqual(['Caio', 'caio@@exemplo.test', '123'])
    cell(2, 4).value = 'caio@exemplo.test'
    cell(3, 2).value = 'Nome Curto'
    cell(4, 3).value = numbers(204, 1)[0]!
    const { body: again } = await upload(new Uint8Array(await book.xlsx.writeBuffer()))
    expect(again.counts).toEqual({ created: 3, updated: 0, unchanged: 0, leftOut: 0, ignored: 0 })
    await ended((await begin(again.id)).id)
    expect(await result(again.id)).toMatchObject({ created: 3, ignored: 0 })
    const [caio] = (await ana('GET', `/contacts?searchParam=${second}`)).body.contacts
    expect(caio).toMatchObject({ name: 'Caio', email: 'caio@exemplo.test' })
  })
  it('changes nothing of a contact for which it has no value, and only adds tags (A-IMP-03)', async () => {
    const [number, next] = numbers(220, 2)
    const contact = (
      await ana('POST', '/contacts', { name: 'Dirce', number, email: 'd@exemplo.test', extraInfo: [{ name: 'CPF', value: '01' }] })
    ).body
    await ana('POST', '/contactsImport', { name: 'Dirce', number, tags: 'Norte' })
    const imported = async (text: string) => {
      const { body: table } = await upload(text)
      await ended((await begin(table.id)).id)
      const { body } = await ana('GET', `/contacts/${contact.id}`)
      return { email: body.email, extraInfo: body.extraInfo, tags: body.tags.map(({ name }: { name: string }) => name).toSorted() }
    }
    const before = { email: 'd@exemplo.test', extraInfo: [{ id: 1, name: 'CPF', value: '01' }], tags: ['Norte'] }
    expect(await imported(`Nome;Número\nDirce;${number}\n`)).toEqual(before)
    expect(await imported(`Nome;Número;E-mail\nOutra;${next};o@exemplo.test\nDirce;${number};\n`)).toEqual(before)
    expect(await imported(`Nome;Número;Tags\nDirce;${number};Sul\n`)).toEqual({ ...before, tags: ['Norte', 'Sul'] })
  })
  it('has each person once, also a second time and for two users at once', async () => {
    const text = 'Nome;Número\nUm;11 98555-0501\nDois;+55 (11) 98555-0501\nTrês;551185550501\nFixo;11 5555-0501\n'
    const { body: table } = await upload(text)
    expect(table.counts).toEqual({ created: 2, updated: 0, unchanged: 0, leftOut: 0, ignored: 2 })
    const { body: other } = await app.as('admin')('POST', '/contacts/upload', contactTable(text, 'c.csv'))
    const [mine, theirs] = await Promise.all([
      begin(table.id),
      app
        .as('admin')('POST', `/contacts/upload/${other.id}/begin`, { existing: 'update' })
        .then(({ body }) => body),
    ])
    await ended(mine.id)
    const ofAdmin = async () => (await app.as('admin')('GET', '/works')).body.find(({ id }: { id: number }) => id === theirs.id)
    await expect.poll(async () => (await ofAdmin()).state, { timeout: 60_000 }).toBe('done')
    const results = [await result(table.id), (await app.as('admin')('GET', `/contacts/upload/${other.id}/result`)).body]
    expect(results[0].created + results[1].created).toBe(2)
    const { body: again } = await upload(text)
    await ended((await begin(again.id)).id)
    expect(await result(again.id)).toMatchObject({ created: 0 })
    const { contacts } = (await ana('GET', '/contacts?searchParam=50501')).body
    expect(contacts.map(({ number }: { number: string }) => number).toSorted()).toEqual(['551155550501', '5511985550501'])
    for (const { id, version, name, number } of contacts)
      expect((await ana('PUT', `/contacts/${id}`, { version, name: `${name} X`, number })).status).toBe(200)
  })
  it('without a number in any row offers no contact to import', async () => {
    const { body: table } = await upload('Nome;Número\nUm;\nDois;\n')
    expect([table.counts, table.errors.length]).toEqual([{ created: 0, updated: 0, unchanged: 0, leftOut: 0, ignored: 2 }, 2])
    const work = await begin(table.id)
    expect(await ended(work.id)).toMatchObject({ changed: 0, failed: 2 })
    expect(await result(table.id)).toEqual({ total: 2, created: 0, updated: 0, unchanged: 0, ignored: 2 })
  })
  it('leaves known contacts as they are if asked to', async () => {
    const [number] = numbers(10, 1)
    await ana('POST', '/contacts', { name: 'Fica Assim', number })
    const { body: table } = await upload(`nome,numero\nOutro Nome,${number}\n`)
    await ended((await begin(table.id, 'keep')).id)
    expect(await result(table.id)).toMatchObject({ unchanged: 1, ignored: 0 })
    expect((await ana('GET', `/contacts?searchParam=${number}`)).body.contacts[0].name).toBe('Fica Assim')
  })
  it('begins once, and shows nothing to other users', async () => {
    const { body: table } = await upload(`nome,numero\nUma,${numbers(20, 1)[0]}\n`)
    expect((await app.as('bruno')('GET', `/contacts/upload/${table.id}/result`)).status).toBe(404)
    const check = (isDone: boolean) => app.ctx.db.updateTable('contactImport').set({ checked: isDone }).where('id', '=', table.id).execute()
    await check(false)
    const early = await ana('POST', `/contacts/upload/${table.id}/begin`, { existing: 'update' })
    expect([early.status, early.body.error]).toEqual([409, 'ERR_IMPORT_CHECKING'])
    await check(true)
    await ended((await begin(table.id)).id)
    expect((await ana('POST', `/contacts/upload/${table.id}/begin`, { existing: 'update' })).body.error).toBe('ERR_IMPORT_BEGUN')
    expect((await ana('PUT', `/contacts/upload/${table.id}`, { fields: ['name', 'number'] })).body.error).toBe('ERR_IMPORT_BEGUN')
  })
  it('of a killed process is continued without importing a row twice', async () => {
    const list = numbers(100, 30)
    const { body: table } = await upload(`nome,numero\n${list.map((number, i) => `Pessoa ${i},${number}`).join('\n')}\n`)
    const args = { importId: table.id as number }
    const { companyId, id: userId } = { companyId: app.company.companies.casa, id: app.company.users.ana }
    const items = JSON.stringify(Array.from({ length: 30 }, (_, i) => i + 2))
    const row = {
      companyId,
      userId,
      kind: 'importContacts' as const,
      commandId: 'killed-import',
      args: JSON.stringify(args),
      items,
      total: 30,
    }
    const { id } = await app.db.insertInto('bulkOperation').values(row).returning('id').executeTakeFirstOrThrow()
    await app.db.updateTable('contactImport').set({ workId: id, existing: 'update' }).where('id', '=', table.id).execute()
    const dead = new Promise<never>(() => undefined)
    let seen = 0
    const dying: typeof importContacts = {
      each: async (...asked) => {
        await importContacts.each(...asked)
        return ++seen > 12 ? dead : true
      },
    }
    void goOn(id, { importContacts: dying }, app.ctx)
    await expect.poll(() => seen).toBeGreaterThanOrEqual(16)
    await app.db.updateTable('bulkOperation').set({ beatAt: sql`now() - interval '1 minute'` }).where('id', '=', id).execute()
    await goOn(id, { importContacts }, app.ctx)
    expect(await workOf(id)).toMatchObject({ state: 'done', done: 30, changed: 30, failed: 0 })
    expect(await result(table.id)).toEqual({ total: 30, created: 30, updated: 0, unchanged: 0, ignored: 0 })
  })
  it('is refused with a code when it cannot be read', async () => {
    const code = async (content: string | Uint8Array, fields?: Record<string, string>) => {
      const { status, body } = await upload(content, fields)
      return [status, body.error]
    }
    expect(await code('')).toEqual([400, 'ERR_IMPORT_EMPTY'])
    expect(await code('nome;numero\n')).toEqual([400, 'ERR_IMPORT_EMPTY'])
    expect(await code(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0]))).toEqual([400, 'ERR_IMPORT_FILE'])
    expect(await code(Buffer.from('PK\x03\x04 nothing more'))).toEqual([400, 'ERR_IMPORT_FILE'])
    expect(await code('a;b', { separator: '#' })).toEqual([400, 'ERR_INVALID_INPUT'])
    expect((await ana('POST', '/contacts/upload', new FormData())).status).toBe(400)
    expect((await ana('POST', '/contacts/upload', {})).status).toBe(400)
  })
  it('shows its guessed encoding with accented texts, and is read again with another one', async () => {
    const list = numbers(640, 3)
    const text = `Nome;Telefone\nConceição Ávila;${list[0]}\nZé;${list[1]}\nRita;${list[2]}\n`
    const guessed = (await upload(Buffer.from(text, 'latin1'))).body
    expect(guessed).toMatchObject({ encoding: 'windows-1252', accented: ['Conceição Ávila', 'Zé'], counts: { ignored: 0 } })
    const wrong = (await upload(Buffer.from(text), { encoding: 'windows-1252' })).body
    expect([wrong.accented[0], wrong.counts.created]).toEqual(['ConceiÃ§Ã£o Ã\u0081vila', 1])
    expect(wrong.errors).toEqual([
      { row: 2, code: 'ERR_IMPORT_TEXT' },
      { row: 3, code: 'ERR_IMPORT_TEXT' },
    ])
    const mixed = Buffer.concat([Buffer.from(`Nome;Número\nZoé Certa;${list[0]}\n`), Buffer.from(`Zo\xe9 Torta;${list[1]}\n`, 'latin1')])
    const { body: table } = await upload(mixed)
    expect(table).toMatchObject({ encoding: 'utf-8', errors: [{ row: 3, code: 'ERR_IMPORT_TEXT' }] })
    await ended((await begin(table.id)).id)
    expect(await result(table.id)).toMatchObject({ created: 1, ignored: 1 })
    const { contacts } = (await ana('GET', '/contacts?searchParam=Zo%C3%A9')).body
    expect(contacts.map(({ name }: { name: string }) => name)).toEqual(['Zoé Certa'])
  })
  it('shows what an update changes, and an empty cell changes nothing (A-IMP-06)', async () => {
    const [known, same, fresh] = numbers(300, 3)
    await ana('POST', '/contactsImport', { name: 'Dirce', number: known, email: 'dirce@x.test', tags: 'Norte' })
    await ana('POST', '/contactsImport', { name: 'Igual', number: same, email: 'igual@x.test', tags: 'Sul' })
    const { body: table } = await upload(
      `Nome;Número;E-mail;Tags\nDirce Reis;${known};novo@x.test;norte, Sul\nIgual;${same};;sul\nNova;${fresh};;\n`,
    )
    expect(table.counts).toEqual({ created: 1, updated: 1, unchanged: 1, ignored: 0, leftOut: 0 })
    expect(table.rows[0]).toMatchObject({
      ...{ row: 2, state: 'updated' },
      changes: [
        { field: 'name', name: '', before: 'Dirce', after: 'Dirce Reis' },
        { field: 'email', name: '', before: 'dirce@x.test', after: 'novo@x.test' },
        { field: 'tags', name: '', before: 'Norte', after: 'Sul' },
      ],
    })
    expect(table.rows.slice(1)).toMatchObject([
      { state: 'unchanged', changes: [] },
      { state: 'created', changes: [] },
    ])
    await ended((await begin(table.id)).id)
    expect(await result(table.id)).toEqual({ total: 3, created: 1, updated: 1, unchanged: 1, ignored: 0 })
  })
  it('imports only the chosen rows, and none is refused (R-CIMPORT-02)', async () => {
    const [first, second] = numbers(310, 2)
    const { body: table } = await upload(`Nome;Número\nUma;${first};\nOutra;${first}\nTerceira;${second}\n`)
    expect(table.errors).toEqual([{ row: 3, code: 'ERR_IMPORT_REPEATED' }])
    const choose = async (body: object) => (await ana('PUT', `/contacts/upload/${table.id}/rows`, body)).body
    expect((await choose({ isChosen: false })).counts).toMatchObject({ created: 0, ignored: 0, leftOut: 3 })
    const none = await ana('POST', `/contacts/upload/${table.id}/begin`, { existing: 'update' })
    expect([none.status, none.body.error]).toEqual([400, 'ERR_IMPORT_NO_ROWS'])
    expect((await choose({ isChosen: true })).errors).toEqual([{ row: 3, code: 'ERR_IMPORT_REPEATED' }])
    expect(await choose({ isChosen: false, rowNumbers: [2] })).toMatchObject({ counts: { created: 2, leftOut: 1 }, errors: [] })
    const page = (await ana('GET', `/contacts/upload/${table.id}/rows?state=leftOut`)).body
    expect(page).toMatchObject({ count: 1, hasMore: false, rows: [{ row: 2, cells: ['Uma', first], state: 'leftOut' }] })
    await ended((await begin(table.id)).id)
    expect(await result(table.id)).toEqual({ total: 2, created: 2, updated: 0, unchanged: 0, ignored: 0 })
    expect((await ana('GET', `/contacts?searchParam=${first}`)).body.contacts).toMatchObject([{ name: 'Outra' }])
  })
  it('is offered as a sample that is imported as it is, every row visible', async () => {
    const headers = { authorization: `Bearer ${await app.tokenOf('ana')}` }
    const sample = await fetch(`${app.url}/api/contacts/upload/sample`, { headers })
    const { body: table } = await upload(new Uint8Array(await sample.arrayBuffer()))
    expect(table).toMatchObject({ total: 3, hasHeader: true, counts: { created: 3, ignored: 0 } })
    await ended((await begin(table.id)).id)
    for (const [name, number] of [
      ['Conceição Ávila', '5511961234567'],
      ['José Muñoz', '34612345678'],
      ['Işık Öztürk', '905012345678'],
    ])
      expect((await ana('GET', `/contacts?searchParam=${encodeURIComponent(name!)}`)).body.contacts).toMatchObject([{ name, number }])
  })
  it('completes the target of a merged contact with the same number (A-MERGE-01)', async () => {
    const [old, own] = numbers(320, 2)
    const [source, target] = await Promise.all(
      [old, own].map(async (number, n) => (await ana('POST', '/contacts', { name: `Fundida ${n}`, number })).body),
    )
    await ana('POST', `/contacts/${source.id}/merge`, { targetId: target.id })
    const { body: table } = await upload(`Nome;Número;E-mail\nFundida 1;${old};f@x.test\n`)
    expect(table.rows[0]).toMatchObject({ state: 'updated', changes: [{ field: 'email', name: '', before: '', after: 'f@x.test' }] })
    await ended((await begin(table.id)).id)
    expect((await ana('GET', `/contacts/${target.id}`)).body).toMatchObject({ name: 'Fundida 1', email: 'f@x.test' })
  })
  it('replaces the table of the same user that waits', async () => {
    const text = `nome,numero\nUma,${numbers(70, 1)[0]}\n`
    const [first, second] = [(await upload(text)).body.id, (await upload(text)).body.id]
    expect((await ana('GET', `/contacts/upload/${first}/result`)).status).toBe(404)
    expect((await ana('GET', `/contacts/upload/${second}/result`)).status).toBe(200)
  })
  it('is read again with another header', async () => {
    const { body: table } = await upload(`Rita,${numbers(60, 1)[0]}\n`, { header: 'false' })
    expect(table).toMatchObject({ total: 1, hasHeader: false, columns: [{ field: 'name' }, { field: 'number' }] })
  })
})
