import { useAtomValue } from 'jotai'
import { isOutage } from '#domain/connection/rules.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import type { Traffic } from '#domain/traffic/contract.ts'
import { outageWords } from '#web/connection/outage-words.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { useReason } from '#web/message/bubble/reason.ts'
import { nowAtom } from '#web/ui/now.ts'
import { Time } from '#web/ui/Time.tsx'
import { long } from './Figures.tsx'
import css from './Health.module.css'
import { trafficWords } from './words.ts'

/** Reasons of undelivered messages. */
export function Failures({ of: { reasons } }: { of: Traffic }) {
  const t = useWords(trafficWords)
  const language = useLanguage()
  const reason = useReason()
  return (
    <section className={css.section} data-part="failures">
      <h2>{t('reasons')}</h2>
      {reasons.length > 0 && <p>{t('reasonsHint')}</p>}
      {reasons.length === 0 ? (
        <p>{t('noFailures')}</p>
      ) : (
        <table aria-label={t('reasons')}>
          <thead>
            <tr>
              <th scope="col">{t('reason')}</th>
              <th scope="col">{t('lost')}</th>
              <th scope="col">{t('overcome')}</th>
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

/** Outages with their time, duration and reason. */
export function Gaps({ of: { gaps, gapsInAll } }: { of: Traffic }) {
  const t = useWords(trafficWords)
  const tOutage = useWords(outageWords)
  const language = useLanguage()
  const now = useAtomValue(nowAtom)
  const minutesOf = (from: string, to: string | null) => ((to === null ? now : Date.parse(to)) - Date.parse(from)) / minuteMs
  const reason = (code: string | null) => (code === null ? t('ended') : isOutage(code) ? tOutage(code) : code)
  return (
    <section className={css.section} data-part="gaps">
      <h2>{t('gaps')}</h2>
      {gaps.length === 0 ? (
        <p>{t('noGaps')}</p>
      ) : (
        <table aria-label={t('gaps')}>
          <thead>
            <tr>
              <th scope="col">{t('began')}</th>
              <th scope="col">{t('lasted')}</th>
              <th scope="col">{t('reason')}</th>
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
                  {endedAt === null && <> · {t('lasting')}</>}
                </td>
                <td>
                  {reason(code)}
                  {anew && <p className={css.missed}>{t('anew')}</p>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {gapsInAll > gaps.length && <p>{t('moreGaps', { newest: gaps.length, total: gapsInAll })}</p>}
    </section>
  )
}
