import { useAtomValue, useSetAtom } from 'jotai'
import { useWatch } from 'react-hook-form'
import type { Static } from 'typebox'
import * as Type from 'typebox'
import { flags } from '#domain/access.ts'
import { passwordLength } from '#domain/session/rules.ts'
import { type UserDetail, user } from '#domain/user/contract.ts'
import { offered, published, shortestPassword } from '#domain/user/rules.ts'
import { api } from '#web/api.ts'
import { namedConnections } from '#web/connection/apart.ts'
import { languageNames, languages, useWords } from '#web/i18n.ts'
import { CustomerTextOrNullField } from '#web/message/customer-text/CustomerTextField.tsx'
import { chooseLanguage, meAtom, useMe } from '#web/session.ts'
import { queueChoices } from '#web/ticket/choices.ts'
import { bodyOf, type FormFile, type RowFile } from '#web/ui/changed.ts'
import { anyColour } from '#web/ui/colour.ts'
import { FileField } from '#web/ui/FileField.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { FormTabs } from '#web/ui/FormTabs.tsx'
import { ChoiceField, ColourField, Pair, TextField } from '#web/ui/fields.tsx'
import { useSent } from '#web/ui/sent.ts'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { AdminNote, Leaving } from './changes.tsx'
import css from './fields.module.css'
import { FlagField, ManyField, OptionField, SecretField, TimeField } from './fields.tsx'
import { pictures, squared } from './square.ts'
import { fieldsOfUser, flagHints, userWords } from './words.ts'

const Secret = Type.Union([Type.String({ minLength: passwordLength.min, maxLength: passwordLength.max }), Type.Literal('')])
const Form = Type.Object({
  ...user.Body.properties,
  password: Secret,
  currentPassword: Type.String({ maxLength: 200 }),
  file: Type.Unsafe<FormFile>({}),
})
type Written = Static<typeof Form>

/** Preselects a queue if there is only one (R-VALID-05). */
const blank = (queues: { id: number }[]): Written => ({
  ...{ name: '', email: '', profile: 'user', queueIds: queues.length === 1 ? [queues[0]!.id] : [], whatsappId: null },
  ...{ startWork: '00:00', endWork: '23:59', farewellMessage: null, color: anyColour() },
  ...published({ userClosePendingTicket: true }),
  ...{ defaultTheme: 'light', defaultMenu: 'open', language: 'pt-BR', password: '', currentPassword: '', file: null },
})
const pictureOf = (path: string | null): RowFile | null =>
  path === null ? null : { path, name: decodeURIComponent(new URL(path, location.origin).pathname.split('/').at(-1)!) }

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
  const tFieldsOfUser = useWords(fieldsOfUser)
  const tFlagHints = useWords(flagHints)
  const tUi = useWords(uiWords)
  const me = useMe()
  const setMe = useSetAtom(meAtom)
  const sent = useSent()
  const queues = useAtomValue(queueChoices.all)
  const connections = useAtomValue(namedConnections)
  const own = of?.id === me.id
  const admin = me.profile === 'admin'

  async function depict(id: number, file: FormFile | undefined): Promise<string | null | undefined> {
    if (file === undefined) return undefined
    if (file === null) return api.users.detach({ params: { id } }).then(() => null)
    return (await sent(file, (how) => api.users.attach({ params: { id }, body: {} }, how))).profileImage
  }
  async function handleSave({ file, password, currentPassword, ...body }: Written, change: Partial<Written>): Promise<void> {
    if (!of) {
      const made = await api.users.create({ body: { ...body, ...(password && { password }) } })
      await depict(made.id, file ?? undefined)
      toast(tUi('saved'))
      onMade?.(made)
      return
    }
    const { file: picture, password: __, currentPassword: ___, ...fields } = change
    const row = await api.users.update({
      params: { id: of.id },
      body: { ...fields, ...(password && { password }), ...(own && currentPassword && { currentPassword }) },
    })
    const profileImage = await depict(of.id, picture)
    toast(tUi('saved'))
    if (!own) return
    setMe((now) => now && { ...now, ...bodyOf(user.Body, row), queues: row.queues, ...(profileImage !== undefined && { profileImage }) })
    if (fields.language) await chooseLanguage(fields.language)
  }

  const general = (
    <>
      <Pair>
        <TextField name="name" label={tFieldsOfUser('name')} autoFocus />
        <TextField name="email" label={tFieldsOfUser('email')} type="email" />
      </Pair>
      {own ? (
        <OwnPassword before={of.email} />
      ) : (
        <SecretField name="password" label={tFieldsOfUser('password')} hint={t(of ? 'passwordOther' : 'passwordNew')} optional />
      )}
      {admin && (
        <>
          {!own && (
            <OptionField
              name="profile"
              label={tFieldsOfUser('profile')}
              options={(['user', 'admin'] as const).map((value) => ({ value, label: t(value) }))}
            />
          )}
          <ManyField name="queueIds" label={tFieldsOfUser('queueIds')} choices={queues} empty={t('noQueues')} />
          {of && <Leaving of={of} />}
          <Pair>
            <TimeField name="startWork" label={tFieldsOfUser('startWork')} />
            <TimeField name="endWork" label={tFieldsOfUser('endWork')} />
          </Pair>
          <p className={css.below}>{t('hoursHint')}</p>
        </>
      )}
      <ChoiceField name="whatsappId" label={tFieldsOfUser('whatsappId')} choices={connections} none={t('noConnection')} />
      <CustomerTextOrNullField name="farewellMessage" label={tFieldsOfUser('farewellMessage')} hint={t('farewellHint')} optional />
      <ColourField name="color" label={tFieldsOfUser('color')} />
      <FileField label={t('image')} hint={t('pictureHint')} accept={pictures} ready={squared} />
      <Pair>
        <OptionField
          name="language"
          label={tFieldsOfUser('language')}
          options={languages.map((value) => ({ value, label: languageNames[value] }))}
        />
        <OptionField
          name="defaultTheme"
          label={tFieldsOfUser('defaultTheme')}
          options={(['light', 'dark'] as const).map((value) => ({ value, label: t(value) }))}
        />
        <OptionField
          name="defaultMenu"
          label={tFieldsOfUser('defaultMenu')}
          options={(['open', 'closed'] as const).map((value) => ({ value, label: t(value) }))}
        />
      </Pair>
    </>
  )
  return (
    <FormDialog
      title={t(own ? 'profile' : of ? 'edit' : 'add')}
      body={Form}
      start={of ? { ...bodyOf(user.Body, of), password: '', currentPassword: '', file: pictureOf(of.profileImage) } : blank(queues)}
      beside={besideField}
      edits={of ? { version: of.version, reread: () => api.users.find({ params: { id: of.id } }) } : undefined}
      gone={gone}
      onSubmit={handleSave}
      onClose={onClose}
    >
      {admin ? (
        <FormTabs
          tabs={[
            {
              id: 'general',
              title: t('general'),
              fields: Object.keys(Form.properties).filter((name) => !isFlag(name)),
              children: general,
            },
            {
              ...{ id: 'permissions', title: t('permissions'), fields: offered },
              children: (
                <>
                  <AdminNote />
                  {offered.map((name) => (
                    <FlagField key={name} name={name} label={tFieldsOfUser(name)} hint={tFlagHints(name)} />
                  ))}
                </>
              ),
            },
          ]}
        />
      ) : (
        general
      )}
    </FormDialog>
  )
}
const isFlag = (name: string) => (flags as readonly string[]).includes(name)

/** Changing one's own password or sign-in address requires the current password. */
function OwnPassword({ before }: { before: string }) {
  const t = useWords(userWords)
  const [email, password] = useWatch<{ email: string; password: string }, ['email', 'password']>({ name: ['email', 'password'] })
  return (
    <>
      <SecretField
        name="password"
        label={t('newPassword')}
        hint={t('newPasswordHint', { n: shortestPassword[useMe().profile] })}
        optional
      />
      {(password !== '' || email !== before) && <SecretField name="currentPassword" label={t('currentPassword')} current />}
    </>
  )
}
