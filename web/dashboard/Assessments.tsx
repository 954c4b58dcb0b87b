import { Star } from '@blueprintjs/icons'
import type { Counters } from '#domain/dashboard/contract.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { Empty } from '#web/ui/states.tsx'
import type { Asked } from './address.ts'
import { Behind } from './Cards.tsx'
import css from './Dashboard.module.css'
import { Definition } from './Definition.tsx'
import { finalized, reportBehind } from './drill.ts'
import { percent } from './format.ts'
import { dashboardWords } from './words.ts'

/** The score with its parts (R-DASH-02). */
export function Assessments({ counters, asked }: { counters: Counters; asked: Asked }) {
  const t = useWords(dashboardWords)
  const language = useLanguage()
  const { withRating, supportFinished, percRating, npsScore, promoters, passive, detractors } = counters
  const parts = [
    { name: 'promoters', n: promoters, share: counters.npsPromotersPerc },
    { name: 'passive', n: passive, share: counters.npsPassivePerc },
    { name: 'detractors', n: detractors, share: counters.npsDetractorsPerc },
  ] as const
  return (
    <div className={css.panel}>
      <dl className={css.cards}>
        <div data-part="card" data-card="score">
          <dt>
            {t('score')} <Definition of="score" name={t('score')} />
          </dt>
          <dd>
            <strong className="nums">{withRating === 0 ? '–' : new Intl.NumberFormat(language).format(npsScore)}</strong>
          </dd>
        </div>
        <div data-part="card" data-card="totalCalls">
          <dt>{t('totalCalls')}</dt>
          <dd>
            <strong className="nums">
              <Behind to={reportBehind(asked, finalized)}>{amount(supportFinished, language)}</Behind>
            </strong>
          </dd>
        </div>
        <div data-part="card" data-card="ratedCalls">
          <dt>{t('ratedCalls')}</dt>
          <dd>
            <strong className="nums">
              <Behind to={reportBehind(asked, { ...finalized, onlyRated: true })}>{amount(withRating, language)}</Behind>
            </strong>
          </dd>
        </div>
        <div data-part="card" data-card="index">
          <dt>
            {t('index')} <Definition of="index" name={t('index')} />
          </dt>
          <dd>
            <strong className="nums">{supportFinished === 0 ? '–' : percent(percRating, language)}</strong>
          </dd>
        </div>
      </dl>
      {withRating === 0 ? (
        <Empty icon={<Star size={20} />} title={t('noRatings')} />
      ) : (
        <section className={css.section}>
          <div className={css.parts} aria-hidden>
            {parts.map(({ name, share }) => (
              <span key={name} data-part={name} style={{ flexGrow: share }} />
            ))}
          </div>
          <ul className={css.legend}>
            {parts.map(({ name, n, share }) => (
              <li key={name}>
                <i data-part={name} /> {t(name)}: <strong className="nums">{percent(share, language)}</strong>{' '}
                <span className="nums">({amount(n, language)})</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
