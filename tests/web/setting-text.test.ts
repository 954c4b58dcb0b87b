import { expect, it } from 'vitest'
import { type Setting, type SettingKey, settings } from '#domain/setting/contract.ts'
import { groups } from '#web/setting/groups.ts'
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
  ['waitingDueMinutes', '30', null], // the red limit is 30
  ['waitingDueMinutes', '31', /amarelo/],
  ['waitingLateMinutes', '9', /amarelo/],
  ['supportUrl', 'sem endereço', /./],
  ['contactFields', 'Nascimento: data\nPlano: lista: Ouro', null],
  ['contactFields', 'Nascimento', /dois-pontos/],
] as const)('%s refuses %j with its reason', (key, text, reason) => {
  const wrong = textProblem(key, text, false)
  if (reason === null) return expect(wrong).toBeNull()
  expect(wrong).toMatch(reason)
  expect(wrong).not.toMatch(/longo/i)
})

/** Settings of the published API without effect, which say so on the screen. */
const announced = ['campaignsEnabled', 'userCreation']
it('the settings offer no option without effect, and every other one', () => {
  const offered = groups.flatMap(({ keys }) => keys)
  const without = (Object.keys(settings) as SettingKey[]).filter((key) => !offered.includes(key))
  expect(without).toEqual([
    ...['chatBotType', 'restoredFrom'], // one value; written by the operator's commands
    ...['primaryColorLight', 'primaryColorDark', 'appName', 'appLogoLight', 'appLogoDark', 'appLogoFavicon'],
  ])
  expect(offered.filter((key) => (settings[key] as Setting).idle)).toEqual(announced)
})
