import { afterAll, beforeAll, expect, it } from 'vitest'
import { isRiskyFile } from '#domain/file/rules.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* A-INBOUND-01: every file of a customer is kept and offered under its name. */
const megabyte = 1024 * 1024
let app: TestApp
let phones = 0
beforeAll(async () => {
  app = await startTestApp({ config: { inboundFileMb: 20 } })
})
afterAll(() => app?.stop())

/** A customer sends a file from the sandbox phone. Returns the message as an agent reads it. */
async function received(content: Buffer | string, name: string, type = '', body = '') {
  const from = `55119777${String(++phones).padStart(5, '0')}`
  const form = new FormData()
  for (const [key, value] of Object.entries({ id: `file-${phones}`, from, name: `Cliente ${phones}`, body })) form.append(key, value)
  form.append('medias', new Blob([content as never], { type }), name)
  const admin = app.as('admin')
  const { status } = await admin('POST', `/sandbox/${app.company.connections.loja}/inbound`, form)
  expect(status).toBe(202)
  const ticket = await eventually(
    () =>
      app.db
        .selectFrom('ticket')
        .innerJoin('contact', 'contact.id', 'ticket.contactId')
        .select('ticket.id')
        .where('contact.number', '=', from)
        .executeTakeFirst(),
    Boolean,
  )
  await app.settled()
  return (await admin('GET', `/messages/${ticket!.id}`)).body.messages[0]
}

const executable = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)])
const der = Buffer.from('3082011a06092a864886f70d010702a082010b', 'hex')
it.each<[string, Buffer | string, risky: boolean]>([
  ['extrato.ofx', 'OFXHEADER:100\nDATA:OFXSGML\n', false],
  ['retorno.ret', '02RETORNO01COBRANCA', false],
  ['contrato.rtf', '{\\rtf1\\ansi Contrato}', false],
  ['assinado.p7s', der, false],
  ['planta.dwg', 'AC1032\0\0\0\0\0\0\0', false],
  ['pagina.html', '<!doctype html><script>alert(1)</script>', true],
  ['LEIAME', 'leia primeiro', false],
  ['app.exe', executable, true],
  ['fatura.pdf', executable, true],
  ['foto.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', true],
  ['macro.xlsm', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(60)]), true],
  ['mapa.kmz', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(60)]), false],
  ['nota.xml', '<?xml version="1.0"?><nfe/>', false],
  ['vazio.txt', '', false],
  ['foto.png', 'no picture at all', false],
])('the file %s is kept and offered under its name, never inline', async (name, content, risky) => {
  const message = await received(content, name)
  expect(message).toMatchObject({ mediaType: 'application', media: { name, size: Buffer.byteLength(content) } })
  expect(isRiskyFile(message.media)).toBe(risky)
  const file = await app.stranger('GET', message.mediaUrl)
  expect(file.status).toBe(200)
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${name}"; filename*=UTF-8''${name}`)
  expect(file.headers.get('x-content-type-options')).toBe('nosniff')
  expect(file.headers.get('content-security-policy')).toMatch(/sandbox/)
})

it('any file name is offered unchanged, with a plain one for clients that cannot read it', async () => {
  const message = await received('%PDF-1.4\n', `a"b'c;d (1)* é.pdf`)
  expect(message.media.name).toBe(`a"b'c;d (1)* é.pdf`)
  const { headers } = await app.stranger('GET', message.mediaUrl)
  expect(headers.get('content-disposition')).toMatch(
    /^inline; filename="a_b'c;d \(1\)\* e.pdf"; filename\*=UTF-8''a%22b%27c%3Bd%20%281%29%2A%20%C3%A9.pdf$/,
  )
})

it('an inbound file may exceed the outbound limit, up to the installation’s limit', async () => {
  const large = await received(Buffer.alloc(17 * megabyte, 'a'), 'gravacao.bin')
  expect(large.media).toMatchObject({ name: 'gravacao.bin', size: 17 * megabyte })
  const form = new FormData()
  for (const [key, value] of Object.entries({ id: 'too-large', from: '5511977779999', name: 'Grande', body: '' })) form.append(key, value)
  form.append('medias', new Blob([Buffer.alloc(21 * megabyte, 'a')]), 'filme.bin')
  const refused = await app.as('admin')('POST', `/sandbox/${app.company.connections.loja}/inbound`, form)
  expect([refused.status, refused.body.error]).toEqual([413, 'ERR_TOO_LARGE'])
})
