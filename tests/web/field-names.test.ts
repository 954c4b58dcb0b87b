import { expect, it } from 'vitest'
import { namesIn } from '#web/ui/fieldLabels.ts'

it('a conflict shows chosen rows by their names', () => {
  const rows = [
    { id: 1, name: 'Vendas' },
    { id: 2, name: 'Suporte' },
  ]
  expect(namesIn(rows)([2, 1])).toBe('Suporte, Vendas')
  expect(namesIn(rows, 'Nenhuma')(null)).toBe('Nenhuma')
  expect(namesIn(rows, 'Nenhuma')([])).toBe('Nenhuma')
  expect(namesIn(rows)(9)).toBe('') // a row that is no longer there has no name
})
