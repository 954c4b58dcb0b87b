import { expect, it } from 'vitest'
import { fitting, longest, pastedText, typedWithinLimit } from '#web/message/composer/paste.ts'

const picture = new File(['x'], 'image.png', { type: 'image/png' })
const pasted = (text: string, files: File[] = [], html = '') =>
  pastedText({ files, getData: (type) => (type === 'text/plain' ? text : type === 'text/html' ? html : '') })

it('the cells of a spreadsheet are pasted as text, not as their picture', () =>
  expect(pasted('Nome\tValor\r\nIara\t10\r\n', [picture], '<table></table>')).toBe('Nome\tValor\nIara\t10\n'))

it('a screenshot, and a picture copied from a page, are pasted as a picture', () => {
  expect(pasted('', [picture])).toBe('')
  expect(pasted('', [picture], '<img src="a.png">')).toBe('')
})

it('text of a word processor stays text, with single line breaks', () =>
  expect(pasted('Um\r\nDois\rTrês', [], '<p>Um</p>')).toBe('Um\nDois\nTrês'))

it('copied files are attached, although their names come as text', () => {
  const [one, two] = [new File(['x'], 'a.pdf'), new File(['y'], 'b.jpg')]
  expect(pasted('a.pdf\r\nb.jpg', [one, two])).toBe('')
  expect(pasted('/documentos/a.pdf', [one])).toBe('')
  expect(pasted('veja a.pdf', [one])).toBe('veja a.pdf')
})

it.each(['👍', '👨‍👩‍👧‍👦', '🇧🇷', 'é'])('no half of %s is inserted at the limit', (sign) => {
  const full = 'x'.repeat(longest - sign.length + 1)
  expect(fitting(full, full.length, full.length, `${sign}.`)).toEqual({ body: full, fits: 0 })
  expect(fitting(full.slice(1), 0, 0, `${sign}${sign}`).fits).toBe(sign.length)
  expect(typedWithinLimit(full, `${sign}${full}`, sign.length)).toEqual({ body: full, caret: 0 })
  expect(typedWithinLimit(full.slice(1), `${sign}${full.slice(1)}`, sign.length).caret).toBe(sign.length)
})
