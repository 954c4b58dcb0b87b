import { Button } from '@blueprintjs/core'
import { Tag } from '@blueprintjs/icons'
import { useState } from 'react'
import { mayRemoveTag, type TagRow, tag } from '#domain/tag/contract.ts'
import { api } from '#web/api.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { Confirm } from '#web/ui/Confirm.tsx'
import { anyColour } from '#web/ui/colour.ts'
import { ColourField, TextField } from '#web/ui/fields.tsx'
import { ResourceScreen } from '#web/ui/Resource.tsx'
import { resourceList } from '#web/ui/resourceList.ts'
import table from '#web/ui/Table.module.css'
import { uiWords } from '#web/ui/words.ts'
import { TagContacts } from './TagContacts.tsx'
import { tagWords } from './words.ts'

/* Lanes of the board are also tags, but have their own screen. */
const list = resourceList<TagRow>(
  tag,
  async (query) => {
    const { tags, hasMore } = await api.tags.list({ query: { ...query, kanban: 0 } })
    return { rows: tags, hasMore }
  },
  { belongs: ({ kanban }) => kanban === 0 },
)

export function Tags() {
  const t = useWords(tagWords)
  const tUi = useWords(uiWords)
  const me = useViewer()
  const language = useLanguage()
  const [of, setOf] = useState<TagRow | null>(null)
  return (
    <>
      <ResourceScreen
        list={list}
        calls={{ ...api.tags, remove: ({ params }) => api.tags.remove({ params, query: {} }) }}
        body={tag.Body}
        may={tag.calls.create}
        mayRemove={(row) => mayRemoveTag(me, row)}
        beside={{ ERR_DUPLICATED_NAME: 'name' }}
        short={{ name: (n) => t('short', { n }) }}
        texts={{ title: t('title'), add: t('add'), edit: t('edit'), empty: t('empty'), lead: t('lead') }}
        icon={<Tag size={20} />}
        blank={() => ({
          name: '',
          color: anyColour(),
          kanban: 0,
          timeLane: null,
          nextLaneId: null,
          rollbackLaneId: null,
          greetingMessageLane: null,
        })}
        name={({ name }) => name}
        removal={(row, close) => (
          <Confirm
            title={tUi('removeOne', { name: row.name })}
            question={row.contactsCount === 0 ? t('unused') : row.contactsCount === 1 ? t('usedOnce') : t('used', { n: row.contactsCount })}
            verb={tUi('remove')}
            onClose={close}
            onConfirm={() => api.tags.remove({ params: { id: row.id }, query: {} })}
          />
        )}
        columns={[
          { title: t('name'), cell: ({ name, color }) => <Chip name={name} color={color} /> },
          {
            title: t('contacts'),
            cell: (row) => (
              <Button
                variant="minimal"
                size="small"
                text={amount(row.contactsCount, language)}
                aria-label={t('contactsCounted', { name: row.name, n: row.contactsCount })}
                aria-haspopup="dialog"
                onClick={() => setOf(row)}
              />
            ),
            num: true,
          },
          { title: t('id'), cell: ({ id }) => <span className={table.muted}>{id}</span>, num: true, wide: true },
        ]}
      >
        <TextField name="name" label={t('name')} autoFocus />
        <ColourField name="color" label={t('color')} />
      </ResourceScreen>
      {of && <TagContacts key={of.id} tag={of} onClose={() => setOf(null)} />}
    </>
  )
}
