import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { timeIn } from '#domain/zone/rules.ts'
import { useWords } from '#web/i18n.ts'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { nowAtom } from '#web/ui/now.ts'
import css from './Option.module.css'
import { settingWords } from './words.ts'

const called = (zone: string) =>
  zone
    .slice(zone.indexOf('/') + 1)
    .replaceAll('_', ' ')
    .replaceAll('/', ' · ')

/** Every time zone of the browser, by region. */
export function ZoneOption({ id, value, off, onChoose }: { id: string; value: string; off: boolean; onChoose: (to: string) => void }) {
  const t = useWords(settingWords)
  const now = useAtomValue(nowAtom)
  const parts = useMemo(() => {
    const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), value])].filter((one) => one.includes('/'))
    return [...Map.groupBy(zones, (zone) => zone.split('/')[0]!)].toSorted(([a], [b]) => a.localeCompare(b))
  }, [value])
  return (
    <>
      <HTMLSelect id={id} fill value={value} disabled={off} onChange={({ target }) => onChoose(target.value)}>
        <option value="UTC">UTC</option>
        {parts.map(([part, zones]) => (
          <optgroup key={part} label={part}>
            {zones
              .toSorted((a, b) => a.localeCompare(b))
              .map((zone) => (
                <option key={zone} value={zone}>
                  {called(zone)}
                </option>
              ))}
          </optgroup>
        ))}
      </HTMLSelect>
      <p className={css.now}>{t('zoneNow', { time: timeIn(value, new Date(now)), zone: value })}</p>
    </>
  )
}
