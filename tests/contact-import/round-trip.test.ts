import { afterAll, beforeAll, expect, it } from 'vitest'
import { doubledApostrophe, neutralCell, originalCell } from '#domain/report/cells.ts'
import { contactTable } from '#tests/support/contact-table.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const note = 'a;"b"\nc'
const people = [
  { name: '=SUM(A1)', number: '5511985550601', email: 'soma@x.test', tags: ['Sul, Norte', 'VIP "A"'], extra: [['CEP', '04101']] },
  { name: '-Bia', number: '5511985550602', email: '', tags: [], extra: [['Nota', note]] },
  {
    name: '@caio',
    number: '51987654321',
    email: '',
    tags: ['Sul, Norte'],
    extra: [
      ['CPF', '111'],
      ['CPF', '222'],
    ],
  },
  {
    name: '+55 loja',
    number: '5511985550604',
    email: '',
    tags: [],
    extra: [
      ['=1+1', '=2+2'],
      ['Nome', '-3'],
    ],
  },
  { name: "'=aspas", number: '5511985550605', email: '', tags: [], extra: [['Tags', "'+1"]] },
  { name: 'Conceição Ávila', number: '5511985550606', email: '', tags: [], extra: [['CEP', '00012']] },
]

type Contact = { name: string; number: string; email: string; tags: { name: string }[]; extraInfo: { name: string; value: string }[] }
/** What an export has to keep. */
const kept = ({ name, number, email, tags, extraInfo }: Contact) => ({
  ...{ name, number, email, tags: tags.map((tag) => tag.name).toSorted() },
  extra: extraInfo.map((info) => `${info.name}=${info.value}`).toSorted(),
})
const byNumber = (a: { number: string }, b: { number: string }) => (a.number < b.number ? -1 : 1)
const listed = async (who: 'admin' | 'rita', numbers: string[]) => {
  const pages = await Promise.all(numbers.map((number) => app.as(who)('GET', `/contacts?searchParam=${number}`)))
  return (pages.flatMap(({ body }) => body.contacts) as Contact[]).map(kept).toSorted(byNumber)
}
async function exported(path: string): Promise<Uint8Array> {
  const headers = { authorization: `Bearer ${await app.tokenOf('admin')}` }
  const answer = await fetch(`${app.url}/api/contacts/export${path}`, { headers })
  expect(answer.status).toBe(200)
  return new Uint8Array(await answer.arrayBuffer())
}
async function imported(content: Uint8Array): Promise<{ changed: number }> {
  const ask = app.as('rita')
  const { body: table } = await ask('POST', '/contacts/upload', contactTable(content))
  const { body: work } = await ask('POST', `/contacts/upload/${table.id}/begin`, { existing: 'update' })
  const now = async () => (await ask('GET', '/works')).body.find((one: { id: number }) => one.id === work.id)
  await expect.poll(async () => (await now()).state, { timeout: 60_000 }).toBe('done')
  return now()
}

it('an export of contacts is imported into another company with equal values', async () => {
  const admin = app.as('admin')
  for (const { extra, tags, ...person } of people) {
    const extraInfo = extra.map(([name, value]) => ({ name, value }))
    const { body } = await admin('POST', '/contacts', { ...person, number: `+${person.number}`, extraInfo })
    const ids = await Promise.all(tags.map(async (name) => (await admin('POST', '/tags', { name, color: '#112233' })).body.id as number))
    const known = (await admin('GET', '/tags/list')).body as { id: number; name: string }[]
    const all = tags.map((name, n) => ids[n] ?? known.find((tag) => tag.name === name)!.id)
    await admin('PUT', `/contacts/${body.id}/tags`, { added: all, taken: [] })
  }
  const numbers = people.map(({ number }) => number)
  const before = await listed('admin', numbers)
  expect(before.map(({ name }) => name).toSorted()).toEqual(people.map(({ name }) => name).toSorted())
  const text = await exported('/csv')
  expect(Buffer.from(text).toString()).toContain('"\'=SUM(A1)"')
  await imported(text)
  expect(await listed('rita', numbers)).toEqual(before)
  expect(await imported(await exported(''))).toMatchObject({ changed: 0, failed: expect.any(Number) }) // the spreadsheet has the same values
  await app.db.updateTable('contact').set({ deletedAt: '2026-01-01' }).where('companyId', '=', app.company.companies.vizinha).execute()
  await imported(await exported(''))
  expect(await listed('rita', numbers)).toEqual(before)
})

it('an export imported again changes nothing, and ignores contacts without a phone number by name', async () => {
  const admin = app.as('admin')
  const unset = { extraInfo: '[]', lgpdAcceptedAt: null, urlPicture: null, deletedAt: null, whatsappId: null }
  const others = [
    { number: '120363025518840077', channel: 'whatsapp', isGroup: true },
    { number: '5511985550600-1600000000', channel: 'whatsapp', isGroup: true },
    { number: '99887766554433@lid', channel: 'whatsapp' },
    { number: '5511985550699', channel: 'instagram' },
  ]
  const { casa: companyId } = app.company.companies
  const rows = others.map((row) => ({ ...unset, ...row, companyId, name: 'Reexportado', numberKey: row.number }))
  await app.db.insertInto('contact').values(rows).execute()
  const extraInfo = [{ name: 'Notas', value: 'VIP' }]
  const { id: contactId } = (await admin('POST', '/contacts', { name: 'Reexportada', number: '11985550620', extraInfo })).body
  const { id: ticketId } = (await admin('POST', '/tickets', { contactId, queueId: app.company.queues.suporte })).body
  expect((await admin('POST', '/ticket-notes', { ticketId, note })).status).toBe(200)
  for (const [language, notes] of [
    ['tr', 'Notlar'],
    ['pt-BR', 'Notas'],
  ])
    for (const format of ['', '/csv']) {
      expect((await admin('PUT', `/users/${app.company.users.admin}/language`, { language })).status).toBeLessThan(300)
      const table = (await admin('POST', '/contacts/upload', contactTable(await exported(`${format}?searchParam=Reexportad`)))).body
      expect(table.columns.at(-1)).toEqual({ title: notes, field: '' })
      expect(table.counts).toEqual({ created: 0, updated: 0, unchanged: 1, leftOut: 0, ignored: 4 })
      expect(table.errors.map(({ code }: { code: string }) => code)).toEqual(others.map(() => 'ERR_IMPORT_NO_PHONE'))
    }
})

it('an export has the notes of tickets that its user may see', async () => {
  const admin = app.as('admin')
  const contactId = (await admin('GET', '/contacts?searchParam=5511985550606')).body.contacts[0].id
  const { body: ticket } = await admin('POST', '/tickets', { contactId, queueId: app.company.queues.suporte })
  expect((await admin('POST', '/ticket-notes', { ticketId: ticket.id, note })).status).toBe(200)
  expect(Buffer.from(await exported('/csv?searchParam=Concei')).toString()).toContain(`;"${note.replaceAll('"', '""')}"\r\n`)
  const headers = { authorization: `Bearer ${await app.tokenOf('ana')}` }
  const others = await fetch(`${app.url}/api/contacts/export/csv?searchParam=Concei`, { headers })
  expect(await others.text()).not.toContain('a;""b""')
})

it.each(['=1', '-1', '+1', '@a', "'=1", "''=1", "'a", "''", ' =1', '\t=1', 'a=1', ''])(
  'the text %j is written and read unchanged',
  (text) => {
    expect(originalCell(neutralCell(text))).toBe(text)
    expect(originalCell(doubledApostrophe(text))).toBe(text)
  },
)
