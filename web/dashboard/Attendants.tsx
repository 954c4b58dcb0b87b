import { Button } from '@blueprintjs/core'
import { Export as ExportIcon } from '@blueprintjs/icons'
import { type Attendant, dashboard } from '#domain/dashboard/contract.ts'
import { api } from '#web/api.ts'
import { amount, useWords } from '#web/i18n.ts'
import { PresentAgent } from '#web/ticket/PresentAgent.tsx'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { saveFile } from '#web/ui/save-file.ts'
import { toast } from '#web/ui/toaster.ts'
import { type Asked, daysOf } from './address.ts'
import css from './Dashboard.module.css'
import { Definition } from './Definition.tsx'
import { finalized, noValueId, reportBehind } from './drill.ts'
import { decimal, duration } from './format.ts'
import { type NumberColumn, NumberTable } from './NumberTable.tsx'
import { dashboardWords } from './words.ts'

const count = (key: NumberColumn<Attendant>['key'] & keyof Attendant): NumberColumn<Attendant> => ({
  key,
  value: (row) => row[key] as number,
  write: (n, language) => amount(n ?? 0, language),
})
const columnsOf = (asked: Asked): NumberColumn<Attendant>[] => [
  {
    ...{ ...count('tickets'), key: 'finalized', total: true },
    behind: ({ id, tickets }) => (tickets > 0 ? reportBehind(asked, { ...finalized, users: [id ?? noValueId] }) : undefined),
  },
  ...(['byHand', 'byRule', 'byOthers', 'closeAll', 'tookPart', 'countRating'] as const).map(count),
  { key: 'rating', value: ({ rating }) => rating, write: decimal },
  { key: 'waiting', value: ({ times }) => times.waiting.average, write: duration },
  { key: 'firstAnswer', value: ({ times }) => times.firstAnswer.average, write: duration },
  { key: 'support', value: ({ times }) => times.support.average, write: duration },
]

/** One row per agent, and one for the tickets that no agent served; they add up to the card (A-COUNT-08). */
export function Attendants({ rows, asked }: { rows: Attendant[]; asked: Asked }) {
  const t = useWords(dashboardWords)
  const presence = ({ id, name, removed }: Attendant) =>
    id !== null &&
    !removed && (
      <span className={css.agent}>
        <PresentAgent id={id} name={name ?? ''} size={24} />
      </span>
    )
  return (
    <div className={css.section}>
      <h2>
        {t('attendants')} <Definition of="attendants" name={t('attendants')} />
        <Export asked={asked} />
      </h2>
      <NumberTable name={t('attendants')} rows={rows} columns={columnsOf(asked)} none={t('noAgent')} mark={presence} />
    </div>
  )
}

/** Saves the table as an Excel file (R-DASH-03). */
function Export({ asked: { from, to, openHours, filters } }: { asked: Asked }) {
  const t = useWords(dashboardWords)
  const act = useAsyncAction()
  const save = act(async () => {
    const file = await api.dashboard.attendants(
      { query: { ...daysOf(from, to), ...(openHours && { openHours }), ...filters } },
      { received: () => {} },
    )
    saveFile(dashboard.attendants.file.name, file as Blob)
    toast(t('exported'))
  })
  return (
    <Button
      size="small"
      className={css.export!}
      icon={<ExportIcon />}
      text={t('export')}
      loading={act.pending}
      onClick={() => void save()}
    />
  )
}
