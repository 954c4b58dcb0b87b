import { expect, it } from 'vitest'
import { marked } from '#web/message/composer/marking.ts'

/** Brackets show the selection. */
const selected = (text: string) => ({ body: text.replace(/[[\]]/g, ''), from: text.indexOf('['), to: text.indexOf(']') - 1 })
const shown = ({ body, from, to }: ReturnType<typeof selected>) => `${body.slice(0, from)}[${body.slice(from, to)}]${body.slice(to)}`

it.each([
  ['Olá [mundo]!', 'Olá *[mundo]*!'],
  ['Olá *[mundo]*!', 'Olá [mundo]!'],
  ['Olá [*mundo*]!', 'Olá [mundo]!'],
  ['Olá[ mundo ]!', 'Olá *[mundo]* !'],
  ['Olá []', 'Olá *[]*'],
  ['Olá[  ]!', 'Olá*[]*!'],
])('Ctrl+B turns %s into %s', (before, after) => expect(shown(marked(selected(before), '*'))).toBe(after))

it('italic keeps the marks of bold', () => expect(shown(marked(selected('*[mundo]*'), '_'))).toBe('*_[mundo]_*'))
