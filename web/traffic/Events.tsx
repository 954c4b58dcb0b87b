import { useAtomValue } from 'jotai'
import { isOutage } from '#domain/connection/rules.ts'
import type { Traffic } from '#domain/traffic/contract.ts'
import { outageWords } from '#web/connection/outage-words.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { useReason } from '#web/message/bubble/reason.ts'
import { nowAtom } from '#web/ui/now.ts'
import { Time } from '#web/ui/Time.tsx'
import { long } from './Figures.tsx'
import css from './Health.module.css'
import { trafficWords } from './words.ts'

/** Why messages did not leave. */
export function Failures({ of: { reasons } }: { of: Traffic }) {
  const say = useWords(trafficWords)
  const language = useLanguage()
  const reason = useReason()
  return (
    <section className={css.section} data-part="failures">
      <h2>{say('reasons')}</h2>
      {reasons.length > 0 && <p>{say('reasonsHint')}</p>}
      {reasons.length === 0 ? (
        <p>{say('noFailures')}</p>
      ) : (
        <table aria-label={say('reasons')}>
          <thead>
            <tr>
              <th scope="col">{say('reason')}</th>
              <th scope="col">{say('lost')}</th>
              <th scope="col">{say('overcome')}</th>
            </tr>
          </thead>
          <tbody>
            {reasons.map(({ code, n, overcome }) => (
              <tr key={code}>
                <td title={code}>{reason(code)}</td>
                <td className="nums">{amount(n, language)}</td>
                <td className="nums">{amount(overcome, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** When it was away, for how long and why. */
export function Gaps({ of: { gaps, gapsInAll } }: { of: Traffic }) {
  const say = useWords(trafficWords)
  const why = useWords(outageWords)
  const language = useLanguage()
  const now = useAtomValue(nowAtom)
  const minutesOf = (from: string, to: string | null) => ((to === null ? now : Date.parse(to)) - Date.parse(from)) / 60_000
  const reason = (code: string | null) => (code === null ? say('ended') : isOutage(code) ? why(code) : code)
  return (
    <section className={css.section} data-part="gaps">
      <h2>{say('gaps')}</h2>
      {gaps.length === 0 ? (
        <p>{say('noGaps')}</p>
      ) : (
        <table aria-label={say('gaps')}>
          <thead>
            <tr>
              <th scope="col">{say('began')}</th>
              <th scope="col">{say('lasted')}</th>
              <th scope="col">{say('reason')}</th>
            </tr>
          </thead>
          <tbody>
            {gaps.map(({ id, beganAt, endedAt, reason: code, anew }) => (
              <tr key={id} data-lasts={endedAt === null || undefined}>
                <td>
                  <Time at={beganAt} as="date" /> <Time at={beganAt} as="hour" />
                </td>
                <td>
                  {long(minutesOf(beganAt, endedAt), language)}
                  {endedAt === null && <> · {say('lasting')}</>}
                </td>
                <td>
                  {reason(code)}
                  {anew && <p className={css.missed}>{say('anew')}</p>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {gapsInAll > gaps.length && <p>{say('moreGaps', { newest: gaps.length, total: gapsInAll })}</p>}
    </section>
  )
}
