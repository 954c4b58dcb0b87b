import { Button, Checkbox, DialogBody } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import { useController } from 'react-hook-form'
import type { Answer } from '#domain/contract.ts'
import { type ReportFilterRow, type reportFilters, type SentReport, WeeklyMailBody } from '#domain/report-filter/contract.ts'
import { api } from '#web/api.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { useLabel } from '#web/ui/fieldLabels.ts'
import { ChoiceField, EntryField, SwitchField } from '#web/ui/fields.tsx'
import { calendarDay, dateAndHour, displayZone, weekdayName } from '#web/ui/moment.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { weeklyMails } from './atoms.ts'
import css from './SavedFilters.module.css'
import { reportFilterWords } from './words.ts'

type Props = { row: ReportFilterRow; onSaved: () => unknown; onClose: () => void }
/** The weekly mail of a filter: its schedule, its recipients and the last mails. */
export function WeeklyMail({ row, onSaved, onClose }: Props) {
  const t = useWords(reportFilterWords)
  const loaded = useAtomValue(weeklyMails(row.id))
  const reload = useSetAtom(weeklyMails(row.id).reload)
  if (loaded.state === 'ready') return <Form row={row} of={loaded.value} reload={reload} onSaved={onSaved} onClose={onClose} />
  return (
    <Dialog isOpen title={t('weeklyOf', { name: row.name })} onClose={onClose}>
      <DialogBody>
        {loaded.state === 'failed' ? <ErrorView error={loaded.error} onRetry={() => void reload()} /> : <Skeleton rows={5} />}
      </DialogBody>
    </Dialog>
  )
}

type Loaded = Answer<(typeof reportFilters)['mail']>
function Form({ row, of, reload, onSaved, onClose }: Props & { of: Loaded; reload: () => unknown }) {
  const t = useWords(reportFilterWords)
  const language = useLanguage()
  const viewer = useViewer()
  const act = useAsyncAction()
  const { mail, nextAt, canMail, people, sent } = of
  const params = { id: row.id }
  const known = (id: number) => people.some((one) => one.id === id)
  const start = mail ?? { active: canMail, weekday: 0, time: '08:00', recipients: viewer ? [viewer.id] : [] }
  const days = Array.from({ length: 7 }, (_, id) => ({ id, name: weekdayName(id, language, 'long') }))
  const test = async () => {
    try {
      await api.reportFilters.testMail({ params })
    } finally {
      await reload()
    }
  }
  return (
    <FormDialog
      title={t('weeklyOf', { name: row.name })}
      body={WeeklyMailBody}
      start={{ ...start, recipients: start.recipients.filter(known) }}
      beside={{ ERR_MAIL_NOT_SET: 'active', ERR_REPORT_MAIL_RECIPIENT: 'recipients' }}
      onSubmit={async (body) => {
        await api.reportFilters.setMail({ params, body })
        await Promise.all([reload(), onSaved()])
      }}
      onClose={onClose}
    >
      <p className={css.about}>{t('weeklyLead')}</p>
      <SwitchField name="active" label={t('on')} disabled={!canMail && !start.active} {...(!canMail && { hint: t('noMail') })} />
      <ChoiceField name="weekday" label={t('weekday')} choices={days} />
      <EntryField type="time" name="time" label={t('time')} hint={t('zoneHint', { zone: displayZone() })} />
      <Recipients people={people} />
      <p role="status">{nextAt ? t('next', { when: dateAndHour(nextAt, language) }) : t('noNext')}</p>
      <Button text={t('sendTest')} disabled={!canMail} loading={act.pending} onClick={() => void act(test, { done: t('testSent') })()} />
      <h3>{t('lastSent')}</h3>
      {sent.length === 0 && <p className={css.about}>{t('neverSent')}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, also by keyboard */}
      <ul className={css.sent} aria-label={t('lastSent')} tabIndex={0}>
        {sent.map((one) => (
          <Sent key={one.id} of={one} />
        ))}
      </ul>
    </FormDialog>
  )
}

function Recipients({ people }: { people: Loaded['people'] }) {
  const t = useWords(reportFilterWords)
  useLabel('recipients', t('recipients'))
  const { field, fieldState } = useController<{ recipients: number[] }, 'recipients'>({ name: 'recipients' })
  const problem = fieldState.error?.message
  const toggle = (id: number, isChosen: boolean) =>
    field.onChange(isChosen ? [...field.value, id] : field.value.filter((other) => other !== id))
  return (
    <fieldset className={css.people} aria-label={t('recipients')}>
      <legend>{t('recipients')}</legend>
      {people.map(({ id, name }) => (
        <Checkbox
          key={id}
          labelElement={<bdi>{name}</bdi>}
          checked={field.value.includes(id)}
          onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}
        />
      ))}
      {problem && <span role="alert">{problem}</span>}
    </fieldset>
  )
}

function Sent({ of }: { of: SentReport }) {
  const t = useWords(reportFilterWords)
  const language = useLanguage()
  const { userName, state, rows, withFile, late, isTest, firstDay, lastDay, at } = of
  const result = state === 'sent' ? t('sent', { n: rows ?? 0 }) : t(state)
  const notes = [isTest && t('test'), late && t('late'), state === 'sent' && !withFile && t('asLink')].filter((one) => one !== false)
  return (
    <li>
      <bdi>{userName}</bdi>: {[result, ...notes].join(' · ')}
      <span className={css.about}>
        {dateAndHour(at, language)} · {t('days', { from: calendarDay(firstDay, language), to: calendarDay(lastDay, language) })}
      </span>
    </li>
  )
}
