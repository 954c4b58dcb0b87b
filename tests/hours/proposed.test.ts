import { expect, it } from 'vitest'
import { proposeHolidays } from '#app/company/holidays.ts'

const of = async (country: string, state?: string) =>
  (await proposeHolidays({ year: 2027, language: 'pt-BR', country, ...(state !== undefined && { state }) }, 'America/Sao_Paulo')).days

it('holidays of a country and state are proposed, official ones marked (A-HOURS-HOLIDAY)', async () => {
  const days = new Map((await of('BR', 'SP')).map((day) => [day.date, day]))
  expect(days.get('2027-07-09')?.official).toBe(true)
  expect(days.get('2027-11-20')?.official).toBe(true) // missing in the library's list of the state
  expect(days.get('2027-02-09')?.official).toBe(false)
  for (const none of ['2027-05-09', '2027-12-24', '2027-03-28']) expect(days.has(none)).toBe(false)
  expect((await of('BR')).map(({ date }) => date)).not.toContain('2027-07-09')
})
it('a holiday of Brazil has its Brazilian name', async () => {
  const names = (await of('BR')).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['Corpus Christi', 'Dia do Trabalhador']))
  expect((await of('PT')).map(({ name }) => name)).toContain('Corpo de Deus')
})
it('a holiday from evening to noon is proposed for each whole day', async () => {
  const days = (await of('TR')).map(({ date }) => date)
  expect(days.filter((day) => /2027-(03|05-1[5-8])/.test(day))).toEqual([
    ...['2027-03-09', '2027-03-10', '2027-03-11'],
    ...['2027-05-16', '2027-05-17', '2027-05-18'],
  ])
})
it('the country comes from the time zone, and an unknown country is refused', async () => {
  const asked = { year: 2027, language: 'tr' }
  expect((await proposeHolidays(asked, 'Europe/Istanbul')).country).toBe('TR')
  expect((await proposeHolidays(asked, 'Europe/Lisbon')).country).toBe('PT')
  await expect(proposeHolidays({ ...asked, country: 'XX' }, 'Europe/Lisbon')).rejects.toMatchObject({ code: 'ERR_INVALID_INPUT' })
  await expect(proposeHolidays({ ...asked, country: 'BR', state: 'XX' }, 'Europe/Lisbon')).rejects.toMatchObject({
    code: 'ERR_INVALID_INPUT',
  })
})
