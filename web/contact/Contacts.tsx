import { Button, HTMLSelect } from '@blueprintjs/core'
import { Chat, Edit, People, Plus } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { lazy, Suspense, useState } from 'react'
import { type ContactRow, contacts } from '#domain/contact/contract.ts'
import { tickets } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { useMay } from '#web/session.ts'
import { tagChoices } from '#web/ticket/choices.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Head } from '#web/ui/Head.tsx'
import { useKeys } from '#web/ui/keys.ts'
import { useOpened } from '#web/ui/opened.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import table from '#web/ui/Table.module.css'
import { Table } from '#web/ui/Table.tsx'
import { Time } from '#web/ui/Time.tsx'
import { uiWords } from '#web/ui/words.ts'
import { contactLists, contactSearch, tagFilterAtom } from './atoms.ts'
import { ContactDialog } from './ContactDialog.tsx'
import css from './Contacts.module.css'
import { formattedNumber } from './phone.ts'
import { contactWords } from './words.ts'

const NewTicket = lazy(() => import('#web/ticket/dialogs/NewTicketDialog.tsx').then(({ NewTicket }) => ({ default: NewTicket })))

export function Contacts() {
  const say = useWords(contactWords)
  const ui = useWords(uiWords)
  const [text, type] = useAtom(contactSearch.text)
  const search = useAtomValue(contactSearch.settled)
  const [tagId, filter] = useAtom(tagFilterAtom)
  const tags = useAtomValue(tagChoices.all)
  const list = contactLists({ search, tagId })
  const ids = useAtomValue(list.ids)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const reload = useSetAtom(list.reload)
  const [called, call] = useState<ContactRow | null>(null)
  const narrowed = search !== '' || tagId !== null
  const mayAdd = useMay(contacts.create)
  const mayEdit = useMay(contacts.update)
  const mayCall = useMay(tickets.open)
  const [editing, edit] = useOpened<ContactRow>(api.contacts.find, (row) => (row === 'new' ? mayAdd : mayEdit))
  useKeys(say('title'), mayAdd ? [{ keys: 'n', says: say('add'), run: () => edit('new') }] : [])
  const add = mayAdd && <Button intent="primary" icon={<Plus />} text={say('add')} onClick={() => edit('new')} />
  return (
    <>
      <Head title={say('title')} search={text} onSearch={type}>
        <HTMLSelect
          aria-label={say('allTags')}
          value={tagId ?? ''}
          onChange={({ target }) => filter(target.value ? Number(target.value) : null)}
        >
          <option value="">{say('allTags')}</option>
          {tags.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </HTMLSelect>
        {add}
      </Head>
      {state === 'failed' && <ErrorView error={error} retry={reload} />}
      {state === 'loading' && <Skeleton rows={10} height={40} avatar />}
      {state === 'ready' && ids.length === 0 && (
        <Empty
          icon={<People size={20} />}
          title={narrowed ? ui('noneFound', { search: search || tagName(tags, tagId) }) : say('empty')}
          action={!narrowed && add}
        >
          {!narrowed && say('lead')}
        </Empty>
      )}
      {ids.length > 0 && (
        <Table
          list={list}
          label={say('title')}
          onOpen={(row) => mayEdit && edit(row)}
          columns={[
            { title: say('name'), cell: (row) => <Who {...row} /> },
            { title: say('number'), cell: ({ number }) => <span className="nums">{formattedNumber(number)}</span>, wide: true },
            { title: say('tags'), cell: (row) => <Tags {...row} />, wide: true },
            { title: say('updated'), cell: ({ updatedAt }) => <Time at={updatedAt} className={table.muted} />, wide: true, num: true },
          ]}
          actions={(row) => (
            <>
              {mayCall && (
                <Button
                  variant="minimal"
                  icon={<Chat />}
                  disabled={!row.active || !row.validNumber}
                  aria-label={say('chatWith', { name: row.name })}
                  title={say('chat')}
                  onClick={() => call(row)}
                />
              )}
              {mayEdit && (
                <Button
                  variant="minimal"
                  icon={<Edit />}
                  aria-label={`${ui('edit')}: ${row.name}`}
                  title={ui('edit')}
                  onClick={() => edit(row)}
                />
              )}
            </>
          )}
        />
      )}
      {editing && <ContactDialog contact={editing === 'new' ? null : editing} onClose={() => edit(null)} />}
      {called && (
        <Suspense>
          <NewTicket contact={called} onClose={() => call(null)} />
        </Suspense>
      )}
    </>
  )
}

const tagName = (tags: { id: number; name: string }[], wanted: number | null) => tags.find(({ id }) => id === wanted)?.name ?? ''

function Who(row: ContactRow) {
  const { name, number, urlPicture, active } = row
  const say = useWords(contactWords)
  return (
    <span className={css.who}>
      <Avatar name={name} picture={urlPicture} size={26} />
      <span>
        <span className={css.name}>
          {name} {!active && <em className={css.blocked}>{say('blocked')}</em>}
        </span>
        <span className={css.more} data-part="contact-more">
          <span className="nums">{formattedNumber(number)}</span>
          <Tags {...row} />
        </span>
      </span>
    </span>
  )
}

function Tags({ tags }: ContactRow) {
  return (
    <span className={css.chips}>
      {tags.slice(0, 2).map(({ id, name, color }) => (
        <Chip key={id} name={name} color={color} />
      ))}
      {tags.length > 2 && <span className={table.muted}>+{tags.length - 2}</span>}
    </span>
  )
}
