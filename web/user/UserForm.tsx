import { useAtomValue } from 'jotai'
import { Fragment } from 'react'
import { flags } from '#domain/access.ts'
import { type UserDetail, user } from '#domain/user/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { useMe } from '#web/session.ts'
import { queueChoices } from '#web/ticket/choices.ts'
import { bodyOf } from '#web/ui/changed.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { FormTabs } from '#web/ui/FormTabs.tsx'
import { AdminNote } from './changes.tsx'
import { FlagField } from './fields.tsx'
import { GeneralFields } from './GeneralFields.tsx'
import { ReportQueuesField } from './ReportQueuesField.tsx'
import { blankUser, pictureOf, UserFormBody } from './user-form.ts'
import { useUserSave } from './useUserSave.ts'
import { fieldsOfUser, flagHints, userWords } from './words.ts'

/** The refusals that are shown beside a field. */
const besideField = {
  ERR_DUPLICATED_EMAIL: 'email',
  ERR_WRONG_PASSWORD: 'currentPassword',
  ERR_WEAK_PASSWORD: 'password',
  ERR_SHORT_PASSWORD: 'password',
} as const

/** The form of a new user, a colleague or oneself. Fields that only an admin sets are hidden from others. */
export function UserForm({
  of,
  gone,
  onMade,
  onClose,
}: {
  of: UserDetail | null
  gone?: string
  onMade?: (made: UserDetail) => void
  onClose: () => void
}) {
  const t = useWords(userWords)
  const me = useMe()
  const queues = useAtomValue(queueChoices.all)
  const handleSave = useUserSave(of, onMade)
  const own = of?.id === me.id
  const general = <GeneralFields of={of} />
  return (
    <FormDialog
      title={t(own ? 'profile' : of ? 'edit' : 'add')}
      body={UserFormBody}
      start={of ? { ...bodyOf(user.Body, of), password: '', currentPassword: '', file: pictureOf(of.profileImage) } : blankUser(queues)}
      beside={besideField}
      edits={of ? { version: of.version, reread: () => api.users.find({ params: { id: of.id } }) } : undefined}
      gone={gone}
      onSubmit={handleSave}
      onClose={onClose}
    >
      {me.profile === 'admin' ? (
        <FormTabs
          tabs={[
            {
              id: 'general',
              title: t('general'),
              fields: Object.keys(UserFormBody.properties).filter((name) => !permissions.includes(name)),
              children: general,
            },
            { id: 'permissions', title: t('permissions'), fields: permissions, children: <PermissionFields /> },
          ]}
        />
      ) : (
        general
      )}
    </FormDialog>
  )
}
/** The fields of the second tab. */
const permissions: string[] = [...flags, 'reportQueueIds']

function PermissionFields() {
  const tFieldsOfUser = useWords(fieldsOfUser)
  const tFlagHints = useWords(flagHints)
  return (
    <>
      <AdminNote />
      {flags.map((name) => (
        <Fragment key={name}>
          <FlagField name={name} label={tFieldsOfUser(name)} hint={tFlagHints(name)} />
          {name === 'allowRealTime' && <ReportQueuesField />}
        </Fragment>
      ))}
    </>
  )
}
