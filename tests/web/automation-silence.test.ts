import { expect, it } from 'vitest'
import { silenceOf, silenceWords } from '#web/automation/words.ts'

it.each(['outOfHours', 'vacation'] as const)('the step %s says why nothing was sent', (reason) => {
  expect(silenceOf(reason)).toBe(reason)
  expect(silenceWords[reason][0]).toMatch(/^Nada foi enviado: .* está vazio\.$/)
})
it('a step that sends no notice gives no such reason', () => expect(silenceOf('queueChosen')).toBe(null))
