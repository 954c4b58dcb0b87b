import { describe, expect, it } from 'vitest'
import { importedContact, writtenTags } from '#domain/contact-import/rules.ts'
import type { ErrorCode } from '#domain/errors.ts'

const row = (of: Partial<Parameters<typeof importedContact>[0]> = {}) =>
  importedContact({ name: 'Rita', number: '11 98555-7070', email: '', tags: '', extra: [], ...of }, 'BR')
const refused = (code: ErrorCode) => expect.objectContaining({ code })

describe('an imported row', () => {
  it('has its number completed by the country of the company (A-PHONE-02)', () => {
    expect(row()).toMatchObject({ number: '5511985557070', numberKey: '551185557070' })
    expect(row({ number: '+90 532 123 45 67' })).toMatchObject({ number: '905321234567' })
  })
  it.each(['11985550303', '011985550303', '5511985550303', '+55 (11) 98555-0303'])('has the same number as %s', (number) => {
    expect(row({ number }).number).toBe('5511985550303')
  })
  it('takes no value from the row before', () => {
    row({ email: 'iara@exemplo.test', tags: 'VIP' })
    expect(row({ name: 'Caio' })).toMatchObject({ name: 'Caio', email: '', tags: [] })
  })
  it.each(['Conceição Ávila', 'SÃO JOÃO', 'Ânia Ñandú', 'İzmir Işık', 'Größe', 'Łódź', '🌷 Ana', 'Мария', 'Ã'])(
    'keeps the name %s',
    (name) => {
      expect(row({ name: `${name} x` }).name).toBe(`${name} x`)
    },
  )
  it.each([
    ['Sul, Norte', 'VIP "A"'],
    ['"cinco"', 'a;b;c'],
    ['5" tubo', 'Feira'],
  ])('reads the tags %j as an export writes them', (...names) => {
    expect(row({ tags: writtenTags(names) }).tags).toEqual(names)
  })
  it('names each tag once', () => {
    expect(row({ tags: ' Feira, VIP;feira ,' }).tags).toEqual(['feira', 'VIP'])
  })
  it.each<[ErrorCode, Partial<Parameters<typeof importedContact>[0]>]>([
    ['ERR_IMPORT_NAME', { name: ' ' }],
    ['ERR_IMPORT_NAME', { name: '\u200b\u200b\u200b' }],
    ['ERR_IMPORT_NAME', { name: 'x'.repeat(251) }],
    ['ERR_IMPORT_TEXT', { name: 'Concei\ufffd\ufffdo' }],
    ['ERR_IMPORT_TEXT', { name: 'ConceiÃ§Ã£o' }],
    ['ERR_IMPORT_TEXT', { name: 'Ä°zmir', tags: 'Feira' }],
    ['ERR_IMPORT_TEXT', { tags: 'RegiÃ£o' }],
    ['ERR_IMPORT_TEXT', { name: 'Ana\u0081' }],
    ['ERR_IMPORT_NUMBER', { number: '  ' }],
    ['ERR_IMPORT_SHORTENED', { number: '5,51196E+12' }],
    ['ERR_IMPORT_SHORTENED', { number: '5.5e12' }],
    ['ERR_WAPP_INVALID_CONTACT', { number: 'ligar antes' }],
    ['ERR_WAPP_INVALID_CONTACT', { number: '123' }],
    ['ERR_WAPP_INVALID_CONTACT', { number: '9'.repeat(60) }],
    ['ERR_IMPORT_EMAIL', { email: 'rita arroba casa' }],
    ['ERR_IMPORT_SHORTENED', { number: '5.51199E+12' }],
    ['ERR_IMPORT_TAG', { tags: 'ab' }],
    ['ERR_IMPORT_TAG', { tags: Array.from({ length: 21 }, (_, n) => `tag ${n}`).join(',') }],
  ])('is refused with %s for %j', (code, of) => {
    expect(() => row(of)).toThrow(refused(code))
  })
})
