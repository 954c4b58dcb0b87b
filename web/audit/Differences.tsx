import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { type AuditRow, hidden } from '#domain/audit/contract.ts'
import type { Schedules, Weekday } from '#domain/hours/contract.ts'
import { weekdayWords } from '#web/hours/words.ts'
import { type Language, languageNames, translate, useWords } from '#web/i18n.ts'
import { Dot } from '#web/ui/Dot.tsx'
import table from '#web/ui/Table.module.css'
import { userWords } from '#web/user/words.ts'
import css from './Changes.module.css'
import { changeWords, fieldWords } from './words.ts'

const silent = new Set(['createdAt', 'retiredAt', 'contactsCount'])
const isEmpty = (value: unknown) => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Shows each changed field before and after. A new row has only new values, a removed row only old ones. */
export function Differences({ of: { list, act, before, after } }: { of: AuditRow }) {
  const t = useWords(changeWords)
  const tField = useWords(fieldWords)
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((name) => !silent.has(name))
  const listedNames = act === 'changed' ? names : names.filter((name) => !isEmpty((before ?? after)?.[name]))
  return (
    <dl className={css.fields}>
      {listedNames.map((name) => {
        const key = `${list}.${name}`
        const [was, is] = [before?.[name], after?.[name]]
        const masked = was === hidden || is === hidden
        return (
          <div key={name}>
            <dt>{key in fieldWords ? tField(key) : name}</dt>
            <dd>
              {masked && <span className={table.muted}>{t('masked')}</span>}
              {before && !masked && (
                <del>
                  <span className="hidden-but-read">{t('before')}: </span>
                  <Value of={was} name={name} />
                </del>
              )}
              {act === 'changed' && !masked && <span aria-hidden> → </span>}
              {after && !masked && (
                <ins>
                  <span className="hidden-but-read">{t('after')}: </span>
                  <Value of={is} name={name} />
                </ins>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** The text of a switch, whatever values its field uses. */
const switches: Record<string, 'on' | 'off'> = { enabled: 'on', enable: 'on', disabled: 'off', disable: 'off' }
type Coded = 'user' | 'admin' | 'light' | 'dark' | 'open' | 'closed'
const codes: Record<string, Record<string, Coded>> = {
  profile: { user: 'user', admin: 'admin' },
  defaultTheme: { light: 'light', dark: 'dark' },
  defaultMenu: { open: 'open', closed: 'closed' },
}

function Value({ of, name }: { of: unknown; name: string }): ReactNode {
  const t = useWords(changeWords)
  const tUser = useWords(userWords)
  if (isEmpty(of)) return <span className={css.nothing}>{t('nothing')}</span>
  if (typeof of === 'boolean' || name === 'kanban') return t(of ? 'yes' : 'no')
  if (name === 'color')
    return (
      <>
        <Dot color={`${of}`} /> {`${of}`}
      </>
    )
  if (name === 'language' && typeof of === 'string' && Object.hasOwn(languageNames, of)) return languageNames[of as Language]
  const coded = typeof of === 'string' && codes[name]?.[of]
  if (coded) return tUser(coded)
  if (typeof of === 'string' && Object.hasOwn(switches, of) && !/name|message|shortcode|email/i.test(name)) return t(switches[of]!)
  return <Long text={Array.isArray(of) ? of.map(plain).join(', ') : plain(of)} />
}

/** Shows a row or a file by its name, a pair as one text, and other values unchanged. */
function plain(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if ('weekdayEn' in value) return dayOf(value as Schedules[number])
  if ('date' in value && 'name' in value) return `${value.date} ${value.name}`
  const { name, value: paired } = value as { name?: unknown; value?: unknown }
  if (typeof name !== 'string') return JSON.stringify(value)
  return typeof paired === 'string' ? `${name}: ${paired}` : name
}

/** A day of service hours with its shifts. */
function dayOf({ weekdayEn, startTimeA, endTimeA, startTimeB, endTimeB }: Schedules[number]): string {
  const shifts = [
    [startTimeA, endTimeA],
    [startTimeB, endTimeB],
  ].filter(([start, end]) => start !== '' && end !== '')
  const name = weekdayEn in weekdayWords ? translate(weekdayWords, weekdayEn as Weekday) : weekdayEn
  return `${name} ${shifts.map(([start, end]) => `${start}–${end}`).join(' ') || '–'}`
}

const most = 160
/** Shows the beginning of a long text; a button shows all of it. */
export function Long({ text }: { text: string }) {
  const t = useWords(changeWords)
  const [whole, setWhole] = useState(false)
  if (text.length <= most * 1.25) return <bdi>{text}</bdi>
  return (
    <>
      <bdi>{whole ? text : `${text.slice(0, most).toWellFormed()}…`}</bdi>{' '}
      <Button variant="minimal" size="small" aria-expanded={whole} text={t(whole ? 'less' : 'more')} onClick={() => setWhole(!whole)} />
    </>
  )
}
