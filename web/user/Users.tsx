import { Button, Tag } from '@blueprintjs/core'
import { Key, People, Plus } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useCallback, useState } from 'react'
import { mayEditUser, type UserDetail, type UserRow, users } from '#domain/user/contract.ts'
import { userTopic } from '#domain/user/topic.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { compareNames } from '#web/name-order.ts'
import { useMay, useMe, useViewer } from '#web/session.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { Head } from '#web/ui/Head.tsx'
import { useKeys } from '#web/ui/keys.ts'
import { useOpened } from '#web/ui/opened.ts'
import { RowButtons } from '#web/ui/RowButtons.tsx'
import { useRecordDeleted } from '#web/ui/record-deleted.ts'
import { resourceList } from '#web/ui/resourceList.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Table } from '#web/ui/Table.tsx'
import { toastFailure } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { InviteDialog } from './InviteDialog.tsx'
import { RetireUser } from './RetireUser.tsx'
import { UserForm } from './UserForm.tsx'
import css from './Users.module.css'
import { userWords } from './words.ts'

const list = resourceList<UserRow>(
  { topic: userTopic, search: ['name', 'email'] },
  async (query) => {
    const { users: rows, hasMore } = await api.users.list({ query })
    return { rows, hasMore }
  },
  { order: (a, b) => compareNames(a.name, b.name) || a.id - b.id },
)

/** The team: presence, queues and rights of each user. */
export function Users() {
  const t = useWords(userWords)
  const tUi = useWords(uiWords)
  const may = useMay(users.create)
  const me = useMe()
  const viewer = useViewer()
  const [text, setText] = useAtom(list.search.text)
  const wanted = useAtomValue(list.search.settled)
  const found = list.lists(wanted)
  const ids = useAtomValue(found.ids)
  const state = useAtomValue(found.state)
  const error = useAtomValue(found.error)
  const reload = useSetAtom(found.reload)
  const editable = (row: { super: boolean }) => mayEditUser(viewer, row)
  const [opened, show] = useOpened<UserDetail>(api.users.find, (row) => (row === 'new' ? may : editable(row)))
  const [invited, setInvited] = useState<Pick<UserRow, 'id' | 'name' | 'email'> | null>(null)
  const handleInviteClose = useCallback(() => setInvited(null), [])
  const [leaving, setLeaving] = useState<UserRow | null>(null)
  const row = opened === 'new' ? null : opened
  const gone = useRecordDeleted(row?.id ?? null, ids, api.users.find)
  const edit = ({ id }: UserRow) => void api.users.find({ params: { id } }).then(show, toastFailure)
  const removable = (one: UserRow) => one.id !== me.id && editable(one)
  const addButton = may && <Button intent="primary" icon={<Plus />} text={t('add')} onClick={() => show('new')} />
  useKeys(t('title'), may ? [{ keys: 'n', label: t('add'), run: () => show('new') }] : [])
  return (
    <>
      <Head title={t('title')} search={text} onSearch={setText}>
        {addButton}
      </Head>
      {state === 'failed' && <ErrorView error={error} onRetry={reload} />}
      {state === 'loading' && <Skeleton rows={8} height={48} />}
      {state === 'ready' && ids.length === 0 && (
        <Empty icon={<People size={20} />} title={tUi('noneFound', { search: wanted })} action={false} />
      )}
      {ids.length > 0 && (
        <Table
          list={found}
          label={t('title')}
          columns={[
            {
              title: t('person'),
              cell: PersonCell,
            },
            { title: t('profileColumn'), cell: ({ profile }) => t(profile), wide: true },
            {
              title: t('queuesColumn'),
              cell: (row) => <QueuesCell {...row} />,
              wide: true,
            },
            { title: t('presence'), cell: ({ availability }) => t(availability), wide: true },
          ]}
          onOpen={(one) => editable(one) && edit(one)}
          onRemove={(one) => removable(one) && setLeaving(one)}
          actions={(one) =>
            editable(one) && (
              <>
                <Button variant="minimal" icon={<Key />} aria-label={`${t('invite')}: ${one.name}`} onClick={() => setInvited(one)} />
                <RowButtons name={one.name} onEdit={() => edit(one)} onRemove={removable(one) ? () => setLeaving(one) : null} />
              </>
            )
          }
        />
      )}
      {opened && (
        <UserForm
          of={row}
          {...(gone && { gone: tUi('wasRemoved') })}
          onMade={(made) => !made.hasPassword && setInvited(made)}
          onClose={() => show(null)}
        />
      )}
      {invited && <InviteDialog user={invited} onClose={handleInviteClose} />}
      {leaving && <RetireUser user={leaving} onClose={() => setLeaving(null)} />}
    </>
  )
}

const PersonCell = ({ name, email, profileImage, availability }: UserRow) => (
  <div className={css.person}>
    <Avatar name={name} picture={profileImage} presence={availability} />
    <div>
      <strong dir="auto">{name}</strong>
      <span>{email}</span>
    </div>
  </div>
)

/** The queues of a user. An agent without one is marked, because no ticket of a queue reaches them. */
function QueuesCell({ profile, queues }: UserRow) {
  const t = useWords(userWords)
  return (
    <div className={css.queues}>
      {profile === 'user' && queues.length === 0 && (
        <Tag minimal intent="warning">
          {t('withoutQueue')}
        </Tag>
      )}
      {queues.map(({ id, name, color }) => (
        <Chip key={id} name={name} color={color} />
      ))}
    </div>
  )
}
