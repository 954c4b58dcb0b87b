import { Button } from '@blueprintjs/core'
import { Chat, Edit, GitMerge, Import, People, Plus, Trash } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { type ContactRow, contacts } from '#domain/contact/contract.ts'
import { contactImports } from '#domain/contact-import/contract.ts'
import { tickets } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { importWords } from '#web/contact-import/words.ts'
import { DataRequestsButton, PersonData } from '#web/data-request/PersonData.tsx'
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
import { type ContactView, contactAddressOf, contactViewOf, isFiltered } from './address.ts'
import { contactLists, contactSearch, importOpenAtom } from './atoms.ts'
import { BlockContact } from './BlockContact.tsx'
import { ContactDialog } from './ContactDialog.tsx'
import { ContactFilters } from './ContactFilters.tsx'
import css from './Contacts.module.css'
import { ExportContacts } from './ExportContacts.tsx'
import { formattedNumber } from './phone.ts'
import { profileWords } from './profile-words.ts'
import { RemoveContact } from './RemoveContact.tsx'
import { contactWords } from './words.ts'

const NewTicket = lazy(() => import('#web/ticket/dialogs/NewTicketDialog.tsx').then(({ NewTicket }) => ({ default: NewTicket })))
const MergeDialog = lazy(() => import('./MergeDialog.tsx').then(({ MergeDialog }) => ({ default: MergeDialog })))
const ImportContacts = lazy(() =>
  import('#web/contact-import/ImportContacts.tsx').then(({ ImportContacts }) => ({ default: ImportContacts })),
)

export function Contacts() {
  const t = useWords(contactWords)
  const tUi = useWords(uiWords)
  const [text, setText] = useAtom(contactSearch.text)
  const { view, search, change } = useContactView()
  const tags = useAtomValue(tagChoices.all)
  const list = contactLists({ search, ...view })
  const ids = useAtomValue(list.ids)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const reload = useSetAtom(list.reload)
  const [asked, setAsked] = useState<Asked | null>(null)
  const narrowed = search !== '' || isFiltered(view)
  const mayAdd = useMay(contacts.create)
  const mayEdit = useMay(contacts.update)
  const mayRemove = useMay(contacts.remove)
  const [editing, edit] = useOpened<ContactRow>(api.contacts.find, (row) => (row === 'new' ? mayAdd : mayEdit))
  useKeys(t('title'), mayAdd ? [{ keys: 'n', label: t('add'), run: () => edit('new') }] : [])
  const sought = search || tagName(tags, view.tagId)
  const emptyTitle = () => (sought ? tUi('noneFound', { search: sought }) : narrowed ? t('noneOfKind') : t('empty'))
  const add = mayAdd && <Button intent="primary" icon={<Plus />} text={t('add')} onClick={() => edit('new')} />
  return (
    <>
      <Head title={t('title')} search={text} onSearch={setText}>
        <ImportButton />
        <ExportContacts filter={{ search, ...view }} />
        <DataRequestsButton />
        {add}
      </Head>
      <ContactFilters view={view} onChange={change} />
      {state === 'failed' && <ErrorView error={error} onRetry={reload} />}
      {state === 'loading' && <Skeleton rows={10} height={40} avatar />}
      {state === 'ready' && ids.length === 0 && (
        <Empty icon={<People size={20} />} title={emptyTitle()} action={!narrowed && add}>
          {!narrowed && t('lead')}
        </Empty>
      )}
      {ids.length > 0 && (
        <Table
          list={list}
          label={t('title')}
          onOpen={(row) => mayEdit && edit(row)}
          onRemove={(row) => mayRemove && setAsked({ what: 'remove', row })}
          columns={[
            { title: t('name'), cell: (row) => <Who {...row} /> },
            { title: t('number'), cell: ({ number }) => <span className="nums">{formattedNumber(number)}</span>, wide: true },
            { title: t('tags'), cell: (row) => <Tags {...row} />, wide: true },
            { title: t('updated'), cell: ({ updatedAt }) => <Time at={updatedAt} className={table.muted} />, wide: true, num: true },
          ]}
          actions={(row) => <Actions row={row} onEdit={edit} onAsk={(what) => setAsked({ what, row })} />}
        />
      )}
      {editing && <ContactDialog contact={editing === 'new' ? null : editing} onClose={() => edit(null)} />}
      {asked && <AskedDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  )
}

type Asked = { what: 'chat' | 'merge' | 'remove'; row: ContactRow }
function AskedDialog({ what, row, onClose }: Asked & { onClose: () => void }) {
  if (what === 'remove') return <RemoveContact contact={row} onClose={onClose} />
  return (
    <Suspense>{what === 'chat' ? <NewTicket contact={row} onClose={onClose} /> : <MergeDialog contact={row} onClose={onClose} />}</Suspense>
  )
}

const longestSearch = 200
/** The filters and the search. The address holds them, so that the list can be reloaded and shared. */
function useContactView() {
  const [address, setAddress] = useSearchParams()
  const [search, setSearch] = useAtom(contactSearch.settled)
  const view = contactViewOf(address)
  const [given] = useState(address.get('q') ?? '')
  const isRead = useRef(given === '' || search !== '') // another screen may have set the search already
  useEffect(() => {
    if (isRead.current) return setAddress((now) => contactAddressOf(contactViewOf(now), search), { replace: true })
    isRead.current = true
    setSearch(given.slice(0, longestSearch))
  }, [search, given, setSearch, setAddress])
  const change = (to: Partial<ContactView>) =>
    setAddress((now) => contactAddressOf({ ...contactViewOf(now), ...to }, search), { replace: true })
  return { view, search, change }
}

function ImportButton() {
  const t = useWords(importWords)
  const mayImport = useMay(contactImports.upload)
  const [isOpen, setIsOpen] = useAtom(importOpenAtom)
  useEffect(() => () => setIsOpen(false), [setIsOpen])
  if (!mayImport) return null
  return (
    <>
      <Button icon={<Import />} text={t('open')} onClick={() => setIsOpen(true)} />
      {isOpen && (
        <Suspense>
          <ImportContacts onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function Actions({ row, onEdit, onAsk }: { row: ContactRow; onEdit: (row: ContactRow) => void; onAsk: (what: Asked['what']) => void }) {
  const t = useWords(contactWords)
  const tUi = useWords(uiWords)
  const mayCall = useMay(tickets.open)
  const tProfile = useWords(profileWords)
  const mayEdit = useMay(contacts.update)
  const mayMerge = useMay(contacts.merge) && !row.isGroup
  const mayRemove = useMay(contacts.remove)
  return (
    <>
      {mayCall && (
        <Button
          variant="minimal"
          icon={<Chat />}
          disabled={!row.active || !row.validNumber}
          aria-label={t('chatWith', { name: row.name })}
          title={t('chat')}
          onClick={() => onAsk('chat')}
        />
      )}
      {mayEdit && (
        <Button
          variant="minimal"
          icon={<Edit />}
          aria-label={`${tUi('edit')}: ${row.name}`}
          title={tUi('edit')}
          onClick={() => onEdit(row)}
        />
      )}
      {mayMerge && (
        <Button
          variant="minimal"
          icon={<GitMerge />}
          aria-label={tProfile('mergeOf', { name: row.name })}
          title={tProfile('merge')}
          onClick={() => onAsk('merge')}
        />
      )}
      <BlockContact contact={row} iconOnly variant="minimal" />
      {mayRemove && (
        <Button
          variant="minimal"
          icon={<Trash />}
          aria-label={`${tUi('remove')}: ${row.name}`}
          title={tUi('remove')}
          onClick={() => onAsk('remove')}
        />
      )}
      <PersonData contact={row} iconOnly variant="minimal" />
    </>
  )
}

const tagName = (tags: { id: number; name: string }[], wanted: number | null) => tags.find(({ id }) => id === wanted)?.name ?? ''

function Who(row: ContactRow) {
  const { id, name, number, urlPicture, active } = row
  const t = useWords(contactWords)
  const tProfile = useWords(profileWords)
  return (
    <span className={css.who}>
      <Avatar name={name} picture={urlPicture} size={26} />
      <span>
        <span className={css.name}>
          <Link href={`/contacts/${id}`} title={tProfile('open', { name })} onClick={(event) => event.stopPropagation()}>
            {name}
          </Link>{' '}
          {!active && <em className={css.blocked}>{t('blocked')}</em>}
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
