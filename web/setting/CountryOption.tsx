import { getCountries } from 'libphonenumber-js/min'
import { useMemo } from 'react'
import { countryName, useLanguage } from '#web/i18n.ts'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'

/** Every country with phone numbers, by name. */
export function CountryOption({ id, value, off, onChoose }: { id: string; value: string; off: boolean; onChoose: (to: string) => void }) {
  const language = useLanguage()
  const countries = useMemo(
    () =>
      getCountries()
        .map((country) => ({ country, name: countryName(country) }))
        .toSorted((a, b) => a.name.localeCompare(b.name, language)),
    [language],
  )
  return (
    <HTMLSelect id={id} fill value={value} disabled={off} onChange={({ target }) => onChoose(target.value)}>
      {countries.map(({ country, name }) => (
        <option key={country} value={country}>
          {name}
        </option>
      ))}
    </HTMLSelect>
  )
}
