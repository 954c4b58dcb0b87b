import { useAtomValue } from 'jotai'
import { Link } from 'wouter'
import type { SecurityRow } from '#domain/security/contract.ts'
import { isSetting } from '#domain/setting/contract.ts'
import { Long } from '#web/audit/Differences.tsx'
import { everyPerson } from '#web/history/atoms.ts'
import { type Translate, useWords, type Words } from '#web/i18n.ts'
import { choicesOf, isSwitch } from '#web/setting/choices.ts'
import { choiceWords, optionWords } from '#web/setting/words.ts'
import table from '#web/ui/Table.module.css'
import { detailWords, reasonWords, valueWords } from './words.ts'

/** Order of the first details: the new value, the old value, the setting. */
const order = ['to', 'from', 'setting']
const inWords = <K extends string>(known: Words<K>, t: Translate<K>, code: string) => (Object.hasOwn(known, code) ? t(code as K) : code)

/** Details of an entry: codes as texts, and user input unchanged. */
export function Detail({ row: { detail } }: { row: SecurityRow }) {
  const { ticket } = detail
  const tDetail = useWords(detailWords)
  const textOf = useDetailText(detail)
  const parts = Object.keys(detail)
    .filter((key) => key !== 'session' && key !== 'ticket')
    .toSorted((one, other) => order.indexOf(other) - order.indexOf(one))
  return (
    <span className={table.muted}>
      {typeof ticket === 'string' && (
        <Link href={`/tickets/${ticket}/history`} state={{ from: '/security-log' }} title={ticket}>
          {tDetail('ticket')} {ticket.slice(0, 8)}
        </Link>
      )}
      {parts.map((key, i) => (
        <span key={key}>
          {(i > 0 || typeof ticket === 'string') && ' · '}
          {inWords(detailWords, tDetail, key)}: <Long text={textOf(key)} />
        </span>
      ))}
    </span>
  )
}

function useDetailText(detail: SecurityRow['detail']): (key: string) => string {
  const [value, reason] = [useWords(valueWords), useWords(reasonWords)]
  const [setting, choice] = [useWords(optionWords), useWords(choiceWords)]
  const people = useAtomValue(everyPerson)
  const choices = typeof detail.setting === 'string' && isSetting(detail.setting) ? choicesOf(detail.setting) : null
  const turned = choices !== null && isSwitch(choices)
  return (key) => {
    const plain = typeof detail[key] === 'string' ? detail[key] : JSON.stringify(detail[key])
    if (plain === '') return value('nothing')
    if (key === 'user') return (people.state === 'ready' && people.value.find(({ id }) => id === detail.user)?.name) || plain
    if (key === 'reason') return inWords(reasonWords, reason, plain)
    if (key === 'setting') return inWords(optionWords, setting, plain)
    if (key === 'from' || key === 'to')
      return turned ? inWords(valueWords, value, plain) : choices ? inWords(choiceWords, choice, plain) : plain
    return key === 'by' || key === 'profile' || key === 'super' ? inWords(valueWords, value, plain) : plain
  }
}
