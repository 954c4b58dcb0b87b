import { getCountries, getExampleNumber, isValidPhoneNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples' with { type: 'json' }
import { expect, it } from 'vitest'
import { numberForms, numberKey } from '#domain/contact/rules.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'

/* No two people share a key because of similar numbers (A-PHONE-02), shown with 200,000 numbers of all numbering plans. */
const { next: random } = seededRandom(31)
const digit = (from = 0, to = 9) => String(from + Math.floor(random() * (to - from + 1)))
const some = (n: number) => Array.from({ length: n }, () => digit()).join('')

/** Brazilian numbers in every range: mobile with and without ninth digit, landlines, and numbers that always had nine digits. */
function ofBrazil(): string {
  const area = `55${digit(1)}${digit(1)}`
  const begins = [`9${digit(6)}`, digit(6), digit(2, 5), `9${digit(0, 5)}`][Math.floor(random() * 4)]!
  const rest = some((begins.startsWith('9') && begins.length === 2 ? 9 : 8) - begins.length - 4)
  return `${area}${begins}${rest}${random() < 0.5 ? '4411' : some(4)}`
}
const bases = getCountries().flatMap((country) => getExampleNumber(country, examples)?.number ?? [])
/** A valid number of any country; many look like a Brazilian number without country code. */
function ofTheWorld(): string {
  const base = bases[Math.floor(random() * bases.length)]!
  const kept = base.length - 4 - Math.floor(random() * 3)
  const number = base.slice(0, kept) + some(base.length - kept)
  return (isValidPhoneNumber(number) ? number : base).slice(1)
}

it('only a mobile number with and without its ninth digit shares a key, among 200,000 numbers', () => {
  const numbers = new Set<string>()
  while (numbers.size < 110_000) {
    const number = ofBrazil()
    numbers.add(number)
    numbers.add(number.slice(2)) // as a number of another country
  }
  for (let turn = 0; numbers.size < 200_000 && turn < 400_000; turn++) numbers.add(ofTheWorld())
  expect(numbers.size).toBe(200_000)
  const byKey = Map.groupBy(numbers, numberKey)
  const shared = [...byKey.values()].filter((ones) => ones.length > 1)
  const ninth = /^55\d\d9?([6-9]\d{7})$/
  const wrong = shared.filter((ones) => ones.length > 2 || new Set(ones.map((one) => ninth.exec(one)?.[1] ?? one)).size > 1)
  expect(wrong).toEqual([])
  expect(shared.length).toBeGreaterThan(0)
  for (const ones of shared) expect(numberForms(ones[0]!).toSorted()).toEqual(ones.toSorted())
})
