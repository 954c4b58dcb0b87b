import { expect, it } from 'vitest'
import { textProblem } from '#web/setting/text-problem.ts'

it.each([
  ['mailPort', '587', null],
  ['mailPort', 'abc', /número/i],
  ['mailPort', '70000', /65\.535/],
  ['mailPort', '0', /1/],
  ['maxOpenTickets', '', null],
  ['maxOpenTickets', 'muitos', /número/i],
  ['waitingLateMinutes', '45', null],
  ['waitingLateMinutes', '', /./],
  ['waitingLateMinutes', '0', /1/],
  ['waitingDueMinutes', '10000', /9999|9\.999/],
  ['supportUrl', 'sem endereço', /./],
] as const)('%s refuses %j with its reason', (key, text, reason) => {
  const wrong = textProblem(key, text, false)
  if (reason === null) return expect(wrong).toBeNull()
  expect(wrong).toMatch(reason)
  expect(wrong).not.toMatch(/longo/i)
})
