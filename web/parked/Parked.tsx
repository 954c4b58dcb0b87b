import { Button } from '@blueprintjs/core'
import { Pause } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { GiveUp, type ParkedRow } from '#domain/parked/contract.ts'
import { api } from '#web/api.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { AreaField } from '#web/ui/fields.tsx'
import { Head } from '#web/ui/Head.tsx'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import table from '#web/ui/Table.module.css'
import { Time } from '#web/ui/Time.tsx'
import { parkedAtom } from './atoms.ts'
import css from './Parked.module.css'
import { followerWords, kindWords, parkedWords } from './words.ts'

/** Pause before a released stream is checked again. */
const againMs = 2500

/** Streams that stopped at an event which cannot be applied, for the operator of the platform. */
export function Parked() {
  const t = useWords(parkedWords)
  const found = useAtomValue(parkedAtom)
  const reload = useSetAtom(parkedAtom.reload)
  const nameOf = useNameOf()
  const [leaving, setLeaving] = useState<ParkedRow | null>(null)
  const { streams, count } = found.state === 'ready' ? found.value : { streams: [], count: 0 }
  const trying = streams.some(({ released }) => released)
  useEffect(() => {
    if (!trying) return
    const timer = setInterval(() => void reload(), againMs)
    return () => clearInterval(timer)
  }, [trying, reload])
  return (
    <>
      <Head title={t('title')} lead={t('lead')} />
      {found.state === 'failed' && <ErrorView error={found.error} onRetry={() => void reload()} />}
      {found.state === 'loading' && <Skeleton rows={4} height={96} />}
      {found.state === 'ready' && streams.length === 0 && (
        <Empty icon={<Pause size={20} />} title={t('none')}>
          {t('noneHint')}
        </Empty>
      )}
      {streams.length > 0 && (
        <ul className={css.parked} data-part="parked" aria-label={t('title')}>
          {streams.map((row) => (
            <Waiting key={row.id} row={row} onGiveUp={() => setLeaving(row)} onDone={() => void reload()} />
          ))}
        </ul>
      )}
      {count > streams.length && <p className={css.more}>{t('more', { n: count - streams.length })}</p>}
      {leaving && (
        <FormDialog
          title={t('giveUpOne', { what: nameOf(leaving) })}
          body={GiveUp}
          start={{ eventId: leaving.eventId, reason: '' }}
          verb={t('giveUp')}
          onSubmit={async (body) => {
            await api.parked.giveUp({ params: { id: leaving.id }, body })
            void reload()
          }}
          onClose={() => setLeaving(null)}
        >
          <p>{t('warn')}</p>
          <AreaField name="reason" label={t('why')} />
        </FormDialog>
      )}
    </>
  )
}

/** Names the kind and the id of a stream. */
function useNameOf() {
  const tKind = useWords(kindWords)
  return ({ kind: of, streamId }: ParkedRow) => `${of in kindWords ? tKind(of as keyof typeof kindWords) : of} ${streamId}`
}

function Waiting({ row, onGiveUp, onDone }: { row: ParkedRow; onGiveUp: () => void; onDone: () => void }) {
  const t = useWords(parkedWords)
  const tFollower = useWords(followerWords)
  const nameOf = useNameOf()
  const act = useAsyncAction()
  const language = useLanguage()
  const { follower, company, eventType, eventId, revision, waiting, reason, since, released } = row
  const release = act(async () => {
    await api.parked.release({ params: { id: row.id } })
    onDone()
  })
  return (
    <li>
      <h2>
        {nameOf(row)} <span className={table.muted}>· {company.name}</span>
      </h2>
      <dl>
        <dt>{t('where')}</dt>
        <dd>{follower in followerWords ? tFollower(follower as keyof typeof followerWords) : follower}</dd>
        <dt>{t('event')}</dt>
        <dd title={eventId}>{t('eventAt', { type: eventType, record: revision })}</dd>
        <dt>{t('waiting')}</dt>
        <dd className="nums">{amount(waiting, language)}</dd>
        <dt>{t('since')}</dt>
        <dd>
          <Time at={since} />
        </dd>
        <dt>{t('reason')}</dt>
        <dd className={css.reason}>{reason}</dd>
      </dl>
      <div className={css.acts}>
        {released ? (
          <span role="status">{t('released')}</span>
        ) : (
          <>
            <Button text={t('release')} loading={act.pending} onClick={() => void release()} />
            <Button variant="minimal" intent="danger" text={t('giveUp')} onClick={onGiveUp} />
          </>
        )}
      </div>
    </li>
  )
}
