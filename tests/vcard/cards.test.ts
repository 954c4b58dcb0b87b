import { describe, expect, it } from 'vitest'
import { type Card, cards, firstCards, linesOf, vCardsIn, writeCard } from '#domain/vcard/rules.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'

const one = (...lines: string[]) => cards(['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD'].join('\r\n'))[0]!
const numbers = (card: Card) => card.phones.map(({ number }) => number)

describe('a contact card', () => {
  it('reads escaped characters', () => {
    expect(one('FN:Silva\\, Advogados\\; Cia').name).toBe('Silva, Advogados; Cia')
    expect(one('FN:C:\\\\pasta\\nAna').name).toBe('C:\\pasta Ana')
  })
  it.each([
    ['TEL;VALUE=uri:tel:+55-11-98765-4321', ['+55-11-98765-4321']],
    ['TEL;VALUE=uri;TYPE="voice,cell":tel:+1-201-555-0123;ext=102', ['+1-201-555-0123 ext. 102']],
    ['TEL;TYPE=cell:tel:+55%2011%2091234-5678', ['+55 11 91234-5678']],
    ['item1.TEL;type=CELL;type=VOICE;waid=5511987654321:+55 11 98765-4321', ['+55 11 98765-4321']],
    ['TEL;waid=5511987654321:', ['+5511987654321']],
    ['TEL;CELL;PREF:0800 123', ['0800 123']],
    ['TEL;type=CELL:+55 11 987\r\n 65-4321', ['+55 11 98765-4321']],
    ['TEL;type=CELL:+55 11 987\r\n\t65-4321', ['+55 11 98765-4321']],
    ['TEL;X-LABEL="a:b;c":123', ['123']],
    ['tel:123\r\nTEL:123\r\nTEL:', ['123']],
  ])('reads the number of %s', (line, expected) => expect(numbers(one(line))).toEqual(expected))
  it('reads quoted-printable text, its soft line breaks and its character set', () => {
    expect(one('FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Jo=C3=A3o da Concei=C3=A7=C3=A3o').name).toBe('João da Conceição')
    expect(one('FN;ENCODING=QUOTED-PRINTABLE:Jo=C3=A3o=20=', 'Neves').name).toBe('João Neves')
    expect(one('FN;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Jo=E3o').name).toBe('João')
    expect(one('FN;QUOTED-PRINTABLE:Jo=E3o =zz 😀').name).toMatch(/^Jo.+ =zz/)
    expect(one('FN;ENCODING=B;CHARSET=UTF-8:Sm/Do28=').name).toBe('João')
  })
  it('is named by the fields it has, as on a phone', () => {
    expect(one('N:Silva;Ana;Maria;Dra.;Filha').name).toBe('Dra. Ana Maria Silva Filha')
    expect(one('FN:', 'N:;Só Nome;;;').name).toBe('Só Nome')
    expect(one('ORG:Padaria Central\\; Cia;Filial 2', 'TEL:1133334444')).toMatchObject({ name: 'Padaria Central; Cia, Filial 2' })
    expect(one('EMAIL;TYPE=WORK:mailto:ana@loja.test')).toMatchObject({ name: 'ana@loja.test', emails: ['ana@loja.test'], phones: [] })
    expect(one('TEL:11 3333').name).toBe('11 3333')
  })
  it('reads groups, any letter case, nested cards and pictures', () => {
    const card = cards(
      [
        '\ufeffbegin:vcard\nversion:2.1\nfn:Ana\nitem1.ADR;type=HOME:;;Rua A\\, 1;São Paulo;SP;01000-000;Brasil\nitem1.X-ABLabel:_$!<Home>!$_',
        'AGENT:\nBEGIN:VCARD\nFN:Secretária\nTEL:999\nEND:VCARD\nPHOTO;ENCODING=BASE64;TYPE=JPEG:\n AAAA\n BBBB=\n\nTEL:111\nend:vcard ',
      ].join('\n'),
    )
    expect(card).toHaveLength(1)
    expect(card[0]).toMatchObject({ name: 'Ana', addresses: ['Rua A, 1, São Paulo, SP, 01000-000, Brasil'] })
    expect(numbers(card[0]!)).toEqual(['111'])
  })
  it('can be one of several in a text, and a text without markers is one card', () => {
    const both = 'BEGIN:VCARD\nFN:Carlos\nTEL:1\nBEGIN:VCARD\r\nFN:Duda\r\nTEL:456\r\nEND:VCARD'
    expect(cards(both).map((card) => [card.name, ...numbers(card)])).toEqual([
      ['Carlos', '1'],
      ['Duda', '456'],
    ])
    expect(vCardsIn(both)).toHaveLength(2)
    expect(cards('')).toMatchObject([{ name: '', phones: [] }])
  })
  it('loses a picture that is too large, and as many cards are kept as fit', () => {
    const photo = `PHOTO;ENCODING=b:${'A'.repeat(50_000)}`
    const text = ['Ana', 'Beto', 'Caio'].map((name) => `BEGIN:VCARD\nFN:${name}\n${photo}\nEND:VCARD`).join('\n')
    expect(cards(firstCards(text, 150)).map(({ name }) => name)).toEqual(['Ana', 'Beto'])
    expect(firstCards(text, 10)).toBe('')
  })
})

it('reads back what it wrote, for any text', () => {
  const throws = seededRandom(26)
  const letters = ['a', 'Ç', ' ', ',', ';', '\\', ':', '"', '=', '\n', '😀', '\u00a0', 'n', '=3D', '.', '\ud800']
  const words = () => Array.from({ length: 1 + throws.int(12) }, () => throws.of(letters)).join('')
  const asRead = (text: string) => text.toWellFormed().replace(/\s+/g, ' ').trim()
  for (let n = 0; n < 2000; n++) {
    const card = {
      name: `x${words()}`,
      organization: words(),
      phones: [{ number: `1${throws.int(1e6)}`, whatsAppId: throws.chance(0.5) ? '5511' : '' }],
      emails: [`e${words()}`],
    }
    const [read, ...more] = cards(writeCard(card))
    expect(more).toEqual([])
    expect(read).toMatchObject({
      ...card,
      name: asRead(card.name),
      organization: asRead(card.organization),
      emails: card.emails.map(asRead),
    })
    expect(linesOf(read!)).toContain(card.phones[0]!.number)
  }
})
