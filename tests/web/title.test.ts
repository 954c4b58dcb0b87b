import { expect, it } from 'vitest'
import { pageTitle, unreadMark } from '#web/shell/title.ts'

it('counts in circled digits up to twenty, in brackets above', () => {
  expect([0, 1, 9, 20, 21, 130].map(unreadMark)).toEqual(['', '①', '⑨', '⑳', '(21)', '(130)'])
})

it('puts the count before the name of the screen', () => {
  expect(pageTitle('Atendimentos', 3)).toBe('③ Atendimentos · Guichê')
  expect(pageTitle(null, 0)).toBe('Guichê')
})
