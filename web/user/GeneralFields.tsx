import { useAtomValue } from 'jotai'
import { useWatch } from 'react-hook-form'
import type { UserDetail } from '#domain/user/contract.ts'
import { shortestPassword } from '#domain/user/rules.ts'
import { namedConnections } from '#web/connection/apart.ts'
import { languageNames, languages, useWords } from '#web/i18n.ts'
import { CustomerTextOrNullField } from '#web/message/customer-text/CustomerTextField.tsx'
import { useMe } from '#web/session.ts'
import { queueChoices } from '#web/ticket/choices.ts'
import { FileField } from '#web/ui/FileField.tsx'
import { ChoiceField, ColourField, EntryField, Pair, TextField } from '#web/ui/fields.tsx'
import { Leaving } from './changes.tsx'
import css from './fields.module.css'
import { ManyField, OptionField, SecretField } from './fields.tsx'
import { pictures, squared } from './square.ts'
import { fieldsOfUser, userWords } from './words.ts'

/** Working hours are entered in steps of ten minutes, in seconds (R-VALID-04). */
const workStep = 600

/** All fields of a user but the permissions. */
export function GeneralFields({ of }: { of: UserDetail | null }) {
  const t = useWords(userWords)
  const tFieldsOfUser = useWords(fieldsOfUser)
  const me = useMe()
  const connections = useAtomValue(namedConnections)
  const own = of?.id === me.id
  const admin = me.profile === 'admin'
  return (
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
      {admin && <AdminFields of={of} own={own} />}
      <ChoiceField name="whatsappId" label={tFieldsOfUser('whatsappId')} choices={connections} none={t('noConnection')} />
      <CustomerTextOrNullField
        name="farewellMessage"
        label={tFieldsOfUser('farewellMessage')}
        hint={t(own ? 'farewellHintOwn' : 'farewellHint')}
        optional
      />
      <ColourField name="color" label={tFieldsOfUser('color')} />
      <FileField label={t('image')} hint={t('pictureHint')} accept={pictures} ready={squared} />
      <DisplayFields />
    </>
  )
}

/** The fields that only an admin sets. */
function AdminFields({ of, own }: { of: UserDetail | null; own: boolean }) {
  const t = useWords(userWords)
  const tFieldsOfUser = useWords(fieldsOfUser)
  const queues = useAtomValue(queueChoices.all)
  return (
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
        <EntryField type="time" step={workStep} name="startWork" label={tFieldsOfUser('startWork')} />
        <EntryField type="time" step={workStep} name="endWork" label={tFieldsOfUser('endWork')} />
      </Pair>
      <p className={css.below}>{t('hoursHint')}</p>
    </>
  )
}

/** Language and appearance. */
function DisplayFields() {
  const t = useWords(userWords)
  const tFieldsOfUser = useWords(fieldsOfUser)
  return (
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
  )
}

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
