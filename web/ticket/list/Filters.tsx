import { Button, Checkbox, Switch } from '@blueprintjs/core'
import { useAtom, useAtomValue } from 'jotai'
import { apart } from '#web/connection/apart.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { useViewer } from '#web/session.ts'
import { choiceAtom } from '#web/ticket/atoms.ts'
import { connectionChoices, queueChoices, tagChoices, userChoices } from '#web/ticket/choices.ts'
import { filterWords } from '#web/ticket/list/words.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { Dot } from '#web/ui/Dot.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import css from './Filters.module.css'
import { type Choice, everything, mayShowAll, queuesInSight } from './wanted.ts'

/** The filters of the lists; a choice applies at once. */
export function Filters() {
  const t = useWords(filterWords)
  const tTicket = useWords(ticketWords)
  const viewer = useViewer()
  const [choice, setChoice] = useAtom(choiceAtom)
  const set =
    <K extends keyof Choice>(key: K) =>
    (value: Choice[K]) =>
      setChoice({ ...choice, [key]: value })
  return (
    // biome-ignore lint/a11y/useSemanticElements: it contains groups of its own
    <div className={css.filters} role="group" aria-label={t('filters')}>
      <div className={css.head}>
        <Switch label={t('unread')} checked={choice.unread} onChange={({ currentTarget }) => set('unread')(currentTarget.checked)} />
        {mayShowAll(viewer) && (
          <Switch label={t('showAll')} checked={choice.showAll} onChange={({ currentTarget }) => set('showAll')(currentTarget.checked)} />
        )}
        <label className={css.sort} htmlFor="filters-sort">
          <span>{t('sort')}</span>
          <HTMLSelect
            id="filters-sort"
            value={choice.sort ?? ''}
            onChange={({ currentTarget: { value } }) => set('sort')(value === 'ASC' || value === 'DESC' ? value : null)}
            options={[
              { value: '', label: t('auto') },
              { value: 'DESC', label: t('newest') },
              { value: 'ASC', label: t('oldest') },
            ]}
          />
        </label>
      </div>
      <div className={css.lists}>
        <Some
          title={t('queues')}
          list={queueChoices}
          shown={(rows) => queuesInSight(viewer, choice, rows)}
          chosen={choice.queueIds}
          onChoose={set('queueIds')}
        />
        <Some title={t('tags')} list={tagChoices} chosen={choice.tagIds} onChoose={set('tagIds')} />
        {viewer.profile === 'admin' && <Some title={t('users')} list={userChoices} chosen={choice.userIds} onChoose={set('userIds')} />}
        <Some
          title={t('connections')}
          list={connectionChoices}
          shown={apart}
          chosen={choice.connectionIds}
          onChoose={set('connectionIds')}
        />
      </div>
      <Button size="small" text={tTicket('clearFilters')} onClick={() => setChoice(everything)} />
    </div>
  )
}

type Named = { id: number; name: string; color?: string | null }
type SomeOf<Row> = {
  title: string
  list: Collection<Row>
  /** Leaves rows out, or adds what distinguishes rows with the same name. */
  shown?: (rows: Row[]) => Row[]
  chosen: number[]
  onChoose: (ids: number[]) => void
}
function Some<Row extends Named>({ shown = (rows) => rows, ...of }: SomeOf<Row>) {
  const rows = shown(useAtomValue(of.list.all))
  const state = useAtomValue(of.list.state)
  if (state !== 'loading' && rows.length === 0) return null
  return (
    <fieldset className={css.some}>
      <legend>{of.title}</legend>
      {state === 'loading' && rows.length === 0 && <Skeleton rows={2} height={28} />}
      <div className={css.choices}>
        {rows.map(({ id, name, color }) => (
          <Checkbox
            key={id}
            checked={of.chosen.includes(id)}
            onChange={({ currentTarget }) =>
              of.onChoose(currentTarget.checked ? [...of.chosen, id] : of.chosen.filter((other) => other !== id))
            }
            labelElement={
              <>
                {color && <Dot color={color} />} {name}
              </>
            }
          />
        ))}
      </div>
    </fieldset>
  )
}
