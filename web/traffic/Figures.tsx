import { Tag } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import type { Traffic, TrafficDay } from '#domain/traffic/contract.ts'
import { amount, type Language, useLanguage, useWords } from '#web/i18n.ts'
import { span } from '#web/ui/moment.ts'
import { Time } from '#web/ui/Time.tsx'
import { qualityOf } from './atoms.ts'
import css from './Health.module.css'
import { trafficWords } from './words.ts'

type Counted = { [N in keyof TrafficDay]: TrafficDay[N] extends number ? N : never }[keyof TrafficDay]
const total = (days: TrafficDay[], what: Counted) => days.reduce((sum, day) => sum + day[what], 0)

const unit = (n: number, what: 'millisecond' | 'second', language: Language) =>
  new Intl.NumberFormat(language, {
    style: 'unit',
    unit: what,
    unitDisplay: 'short',
    maximumFractionDigits: what === 'second' ? 1 : 0,
  }).format(n)
/** A duration in seconds or milliseconds. */
export const took = (ms: number, language: Language): string =>
  ms >= 1000 ? unit(ms / 1000, 'second', language) : `${ms > 0 && ms < 1 ? '< ' : ''}${unit(Math.ceil(ms), 'millisecond', language)}`
/** A total duration in minutes; less than one minute is shown as “< 1 min”. */
export const long = (minutes: number, language: Language): string =>
  minutes > 0 && minutes < 1 ? `< ${span(1, language)}` : span(minutes, language)
const share = (part: number, whole: number, language: Language) =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: part === whole ? 0 : 1 }).format(part / whole)

/** Waiting messages and since when, which shows whether the delay is here or at the channel. */
export function Now({ of: { connection, leaving, coming, roundTripAt } }: { of: Traffic }) {
  const t = useWords(trafficWords)
  const language = useLanguage()
  const waiting = ({ n, since }: Traffic['leaving']) =>
    n === 0 ? (
      t('none')
    ) : (
      <>
        <strong className="nums">{amount(n, language)}</strong> {since && <Time at={since} />}
      </>
    )
  return (
    <dl className={css.now} aria-label={t('now')}>
      <Pair name={t('leaving')}>{waiting(leaving)}</Pair>
      <Pair name={t('coming')}>{waiting(coming)}</Pair>
      {roundTripAt && (
        <Pair name={t('roundTrip')}>
          <Time at={roundTripAt} as="clock" />
        </Pair>
      )}
      <ItsQuality id={connection.id} />
    </dl>
  )
}

const intents = { high: 'success', medium: 'warning', low: 'danger' } as const
/** The quality rating that WhatsApp gives the number, once it has one. */
function ItsQuality({ id }: { id: number }) {
  const t = useWords(trafficWords)
  const loadedQuality = useAtomValue(qualityOf(id))
  const quality = loadedQuality.state === 'ready' ? loadedQuality.value.quality : null
  if (!quality) return null
  const { rating, limit, unlimited, blockedUntil } = quality
  return (
    <>
      {rating && (
        <Pair name={t('quality')}>
          <Tag minimal intent={intents[rating]}>
            {t(rating)}
          </Tag>
        </Pair>
      )}
      {blockedUntil && (
        <Pair name={t('newChats')}>
          <Tag minimal intent="warning">
            {t('notBefore')} <Time at={blockedUntil} as="moment" />
          </Tag>
        </Pair>
      )}
      {!blockedUntil && (unlimited || limit !== null) && (
        <Pair name={t('limit')}>{unlimited ? t('unlimited') : t('upTo', { n: limit! })}</Pair>
      )}
    </>
  )
}

const Pair = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** Totals of the range, each with its share. */
export function Figures({ days }: { days: TrafficDay[] }) {
  const t = useWords(trafficWords)
  const language = useLanguage()
  const sent = total(days, 'sent')
  const delivered = total(days, 'delivered')
  const timed = total(days, 'timed')
  const answer = timed === 0 ? null : days.reduce((sum, day) => sum + (day.answerMs ?? 0) * day.timed, 0) / timed
  const away = total(days, 'awayMinutes')
  const of = (what: Counted, whole = sent) => (
    <>
      <strong className="nums">{amount(total(days, what), language)}</strong>
      {whole > 0 && <small>{share(total(days, what), whole, language)}</small>}
    </>
  )
  return (
    <dl className={css.figures} data-part="figures">
      <Pair name={t('received')}>
        <strong className="nums">{amount(total(days, 'received'), language)}</strong>
      </Pair>
      <Pair name={t('sent')}>
        <strong className="nums">{amount(sent, language)}</strong>
      </Pair>
      <Pair name={t('delivered')}>{of('delivered')}</Pair>
      <Pair name={t('soon')}>{of('soon', delivered)}</Pair>
      <Pair name={t('read')}>{of('read')}</Pair>
      <Pair name={t('failedToLeave')}>{of('failed')}</Pair>
      {total(days, 'retried') > 0 && <Pair name={t('retried')}>{of('retried')}</Pair>}
      {total(days, 'uncertain') > 0 && <Pair name={t('uncertain')}>{of('uncertain')}</Pair>}
      <Pair name={t('answerTime')}>
        <strong className="nums">{answer === null ? '–' : took(answer, language)}</strong>
      </Pair>
      <Pair name={t('away')}>
        <strong className="nums">{away === 0 ? '–' : long(away, language)}</strong>
      </Pair>
    </dl>
  )
}
