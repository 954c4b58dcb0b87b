import { ColumnLayout } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useContext } from 'react'
import { Link } from 'wouter'
import { mayRemoveTag, type TagRow, tag } from '#domain/tag/contract.ts'
import { byLaneOrder, lanesNaming } from '#domain/tag/rules.ts'
import { searchable } from '#domain/text/rules.ts'
import { api } from '#web/api.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { CustomerTextOrNullField } from '#web/message/customer-text/CustomerTextField.tsx'
import { useViewer } from '#web/session.ts'
import { tagWords } from '#web/tag/words.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { anyColour } from '#web/ui/colour.ts'
import { anyDay } from '#web/ui/FilterBar.tsx'
import { StoredValues } from '#web/ui/fieldLabels.ts'
import { ChoiceField, ColourField, NumberOrNullField, Pair, TextField } from '#web/ui/fields.tsx'
import { ResourceScreen } from '#web/ui/Resource.tsx'
import { resourceList } from '#web/ui/resourceList.ts'
import { laneChoices, laneCounts } from './atoms.ts'
import css from './Kanban.module.css'
import { kanbanWords } from './words.ts'

const list = resourceList<TagRow>(
  tag,
  async ({ searchParam = '' }) => {
    const { lista } = await api.tags.lanes()
    return { rows: lista.filter(({ name }) => searchable(name).includes(searchable(searchParam.trim()))), hasMore: false }
  },
  { belongs: ({ kanban }) => kanban === 1, order: byLaneOrder },
)
const noMoves = { timeLane: null, nextLaneId: null, rollbackLaneId: null, greetingMessageLane: null }

/** The lanes of the board: tags with kanban 1. */
export function KanbanLanes() {
  const t = useWords(kanbanWords)
  const tTag = useWords(tagWords)
  const me = useViewer()
  const language = useLanguage()
  const lanes = useAtomValue(laneChoices.all)
  const counts = useAtomValue(laneCounts(anyDay))
  const warning = (names: string[]) =>
    names.length === 0 ? t('goes') : `${t('goes')} ${t(names.length === 1 ? 'namedByOne' : 'namedBy', { names: names.join(', ') })}`
  return (
    <>
      <p className={css.back}>
        <Link href="/Kanban">{t('back')}</Link>
      </p>
      <ResourceScreen
        list={list}
        calls={{
          ...api.tags,
          remove: ({ params }: { params: { id: number } }) =>
            api.tags.remove({ params, query: lanesNaming(lanes, params.id).length > 0 ? { release: true } : {} }), // the question named them
        }}
        body={tag.Body}
        may={tag.calls.create}
        mayRemove={(row) => mayRemoveTag(me, row)}
        beside={{ ERR_DUPLICATED_NAME: 'name' }}
        short={{ name: (n) => tTag('short', { n }) }}
        texts={{ title: t('lanes'), add: t('addLane'), edit: t('editLane'), empty: t('noLanes'), lead: t('lanesLead') }}
        icon={<ColumnLayout size={20} />}
        blank={() => ({ name: '', color: anyColour(), kanban: 1, ...noMoves })}
        name={({ name }) => name}
        warn={({ id }) => warning(lanesNaming(lanes, id).map(({ name }) => name))}
        arrange={async (ids) => (await api.tags.arrange({ body: { ids } })).lista}
        columns={[
          { title: tTag('name'), cell: ({ name, color }) => <Chip name={name} color={color} /> },
          { title: t('tickets'), cell: ({ id }) => counts && amount(counts.get(id)?.count ?? 0, language), num: true },
          {
            title: t('moves'),
            cell: ({ timeLane, nextLaneId }) => {
              const next = timeLane ? lanes.find(({ id }) => id === nextLaneId) : undefined
              return next && t('movesOn', { hours: timeLane!, name: next.name })
            },
            wide: true,
          },
        ]}
      >
        <TextField name="name" label={tTag('name')} autoFocus />
        <ColourField name="color" label={tTag('color')} />
        <LaneFields />
      </ResourceScreen>
    </>
  )
}

/** The automatic actions of tickets in this lane (A-LANE-01). */
function LaneFields() {
  const t = useWords(kanbanWords)
  const { name: own } = useContext(StoredValues) as Partial<TagRow>
  const others = useAtomValue(laneChoices.all).filter(({ name }) => name !== own) // the names of lanes are unique
  const none = t('nowhere')
  return (
    <>
      <Pair>
        <ChoiceField name="nextLaneId" label={t('nextLane')} choices={others} none={none} />
        <NumberOrNullField name="timeLane" label={t('timeLane')} hint={t('timeLaneHint')} />
      </Pair>
      <ChoiceField name="rollbackLaneId" label={t('rollbackLane')} hint={t('rollbackLaneHint')} choices={others} none={none} />
      <CustomerTextOrNullField name="greetingMessageLane" label={t('greetingLane')} hint={t('greetingLaneHint')} optional />
    </>
  )
}
