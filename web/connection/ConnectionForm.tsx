import { useAtomValue } from 'jotai'
import type { Static } from 'typebox'
import * as Type from 'typebox'
import { channelOfProvider, channels, linksPhone, type Provider, providers, setupOf } from '#domain/channel/channels.ts'
import { type Connection, connection } from '#domain/connection/contract.ts'
import { isUnlinked, newToken } from '#domain/connection/rules.ts'
import type { ConnectionFields } from '#domain/connection-settings/contract.ts'
import { Nullable } from '#domain/contract.ts'
import { defaultHours } from '#domain/hours/contract.ts'
import { api } from '#web/api.ts'
import { HoursField } from '#web/hours/HoursField.tsx'
import { useWords } from '#web/i18n.ts'
import { CustomerTextOrNullField } from '#web/message/customer-text/CustomerTextField.tsx'
import { useSettings, useViewer } from '#web/session.ts'
import { queueChoices } from '#web/ticket/choices.ts'
import { bodyOf, type FormFile } from '#web/ui/changed.ts'
import { FileField } from '#web/ui/FileField.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { FormTabs } from '#web/ui/FormTabs.tsx'
import { ChoiceField, NumberOrNullField, Pair, SwitchField, TextField } from '#web/ui/fields.tsx'
import { useSent } from '#web/ui/sent.ts'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { connectionRules, faults } from './asks.ts'
import { type Cloud, CloudFields, cloudError, cloudFieldRules, cloudOf, written } from './CloudFields.tsx'
import css from './Connections.module.css'
import { cloudWords } from './cloud-words.ts'
import { DayField, DigitsField, LinkField, QueuesField, TokenField, WordSwitchField, WordsField } from './fields.tsx'
import { GraphAccount } from './GraphAccount.tsx'
import { ImportFields } from './ImportFields.tsx'
import { idleHint } from './idle.ts'
import { importWords } from './import-words.ts'
import { usualProvider } from './list.ts'
import { NameField } from './NameField.tsx'
import { RatingFields } from './RatingFields.tsx'
import { connectionFieldWords, connectionWords } from './words.ts'

/** The fields of a connection with its API key and the file of its greeting. */
const Form = Type.Object({
  ...connection.Body.properties,
  token: Nullable(Type.String()),
  cloud: Type.Unsafe<Cloud>({}),
  file: Type.Unsafe<FormFile>({}),
})
type Written = Static<typeof Form>

const blank = (provider: Provider): Written => ({
  ...{ channel: channelOfProvider(provider), provider },
  ...{
    cloud: cloudOf(null),
    name: '',
    isDefault: false,
    allowGroup: false,
    groupAsTicket: 'disabled',
    color: null,
    interactiveMessages: 'enabled',
  },
  ...{ greetingMessage: null, complationMessage: null, outOfHoursMessage: null, ratingMessage: null, collectiveVacationMessage: null },
  ...{
    collectiveVacationStart: null,
    collectiveVacationEnd: null,
    lgpdLink: null,
    lgpdMessage: null,
    maxUseBotQueues: 3,
    timeUseBotQueues: 0,
  },
  ...{
    sendIdQueue: null,
    timeSendQueue: '0',
    expiresTicket: 0,
    whenExpiresTicket: '1',
    expiresInactiveMessage: null,
    timeInactiveMessage: 0,
  },
  ...{ inactiveMessage: null, timeCreateNewTicket: 0, expiresTicketNPS: 30, maxUseBotQueuesNPS: 3, integrationId: null, promptId: null },
  ...{
    flowIdWelcome: null,
    flowIdNotPhrase: null,
    schedules: defaultHours.connection,
    enableImportMessage: false,
    importRecentMessages: null,
  },
  ...{ importOldMessages: null, importOldMessagesGroups: false, closedTicketsPostImported: false, queueIdImportMessages: null },
  ...{ queueIds: [], token: newToken(), file: null },
})

const importDays = new Set(['importOldMessages', 'importRecentMessages'])
const importFields = ['enableImportMessage', ...importDays, 'queueIdImportMessages', 'importOldMessagesGroups', 'closedTicketsPostImported']

/** All fields of a connection, in tabs. */
export function ConnectionForm({
  row,
  provider = usualProvider,
  gone = false,
  onClose,
  onMade,
}: {
  row: Connection | null
  /** Provider of a new connection. */
  provider?: Provider
  /** Another user deleted the connection meanwhile. */
  gone?: boolean
  onClose: () => void
  onMade: (row: Connection) => void
}) {
  const t = useWords(connectionWords)
  const tConnectionField = useWords(connectionFieldWords)
  const tUi = useWords(uiWords)
  const tCloud = useWords(cloudWords)
  const tImport = useWords(importWords)
  const settings = useSettings()
  const { companyId } = useViewer()
  const foreign = row !== null && row.companyId !== companyId // its own company sets its queues and hours
  const queues = useAtomValue(queueChoices.all)
  const sent = useSent()
  const account = row?.account ?? null
  const hasCredentials = (row === null || account !== null) && setupOf(row?.channel ?? channelOfProvider(provider)) === 'credentials'
  const reread = async (id: number) => {
    const found = await api.connections.find({ params: { id }, query: {} })
    return { ...found, cloud: cloudOf(found.account) }
  }

  /** Uploads or removes the file after the row is saved. */
  async function withFile(saved: Connection, file: FormFile | undefined): Promise<Connection> {
    const params = { id: saved.id }
    if (file instanceof File) return sent(file, (how) => api.connections.attach({ params, body: {} }, how))
    if (file === null && saved.isMedia) await api.connections.detach({ params })
    return saved
  }
  async function handleSave({ file, token, cloud, ...body }: Written, change: Partial<Written>): Promise<void> {
    const { file: filed, token: renewed, cloud: changed, ...changes } = change
    if (row) {
      const given = { ...changes, ...(renewed && { token: renewed }), ...(changed && { cloud: written(changed) }) }
      await withFile(await api.connections.update({ params: { id: row.id }, body: given }), filed)
    } else {
      const given = { ...body, ...(token && { token }), ...(hasCredentials && { cloud: written(cloud) }) }
      onMade(await withFile(await api.connections.create({ body: given }), file))
    }
    toast(tUi('saved'))
  }
  const text = (
    name: keyof ConnectionFields & keyof typeof connectionFieldWords,
    hint = foreign ? undefined : idleHint(name, settings),
  ) => <CustomerTextOrNullField name={name} label={tConnectionField(name)} optional {...(hint && { hint })} />
  const number = (name: keyof typeof connectionFieldWords & string, off = true) => (
    <NumberOrNullField name={name} label={tConnectionField(name)} {...(off && { hint: t('zeroOff') })} />
  )
  return (
    <FormDialog
      title={t(row ? 'edit' : providers[provider].simulated ? 'addPractice' : 'add')}
      body={Form}
      start={row ? { ...bodyOf(Form, row), cloud: cloudOf(account) } : blank(provider)}
      edits={row ? { version: row.version, reread: () => reread(row.id) } : undefined}
      beside={{ ERR_WAPP_GREETING_REQUIRED: 'greetingMessage', ERR_NO_OTHER_WHATSAPP: 'isDefault' }}
      rules={{ ...connectionRules, ...(hasCredentials && cloudFieldRules(account === null)) }}
      errorText={(name, rule) => {
        if (importDays.has(name) && rule !== 'required') return tImport('errorDate')
        if (name.startsWith('cloud/')) return cloudError(name, rule)
        return `${name}/${rule}` in faults ? t(faults[`${name}/${rule}` as keyof typeof faults]) : null
      }}
      gone={gone ? tUi('wasRemoved') : undefined}
      onSubmit={handleSave}
      onClose={onClose}
    >
      <FormTabs
        tabs={[
          {
            ...{ id: 'general', title: t('general') },
            fields: [
              'name',
              'isDefault',
              'allowGroup',
              'groupAsTicket',
              'interactiveMessages',
              'queueIds',
              'sendIdQueue',
              'timeSendQueue',
              'timeCreateNewTicket',
              'token',
            ],
            children: (
              <>
                {foreign ? <TextField name="name" label={tConnectionField('name')} autoFocus /> : <NameField id={row?.id ?? null} />}
                <SwitchField name="isDefault" label={tConnectionField('isDefault')} />
                {(row === null || channels[row.channel].groups) && (
                  <>
                    <SwitchField name="allowGroup" label={tConnectionField('allowGroup')} />
                    <WordSwitchField name="groupAsTicket" label={tConnectionField('groupAsTicket')} />
                  </>
                )}
                <WordSwitchField name="interactiveMessages" label={tConnectionField('interactiveMessages')} />
                {foreign ? (
                  <p role="note" className={css.foreign}>
                    {t('foreign')}
                  </p>
                ) : (
                  <>
                    <QueuesField name="queueIds" label={tConnectionField('queueIds')} />
                    <Pair>
                      <ChoiceField name="sendIdQueue" label={tConnectionField('sendIdQueue')} choices={queues} none={t('noQueue')} />
                      <DigitsField name="timeSendQueue" label={tConnectionField('timeSendQueue')} hint={t('zeroOff')} />
                    </Pair>
                  </>
                )}
                {number('timeCreateNewTicket')}
                <TokenField name="token" label={tConnectionField('token')} hint={t('tokenHint')} />
              </>
            ),
          },
          ...(account && !hasCredentials
            ? [{ ...{ id: 'meta', title: tCloud('tab'), fields: [] }, children: <GraphAccount account={account} foreign={foreign} /> }]
            : []),
          ...(hasCredentials
            ? [{ ...{ id: 'meta', title: tCloud('tab'), fields: ['cloud'] }, children: <CloudFields account={account} /> }]
            : []),
          {
            ...{ id: 'messages', title: t('messages') },
            fields: [
              ...['greetingMessage', 'file', 'complationMessage', 'outOfHoursMessage', 'collectiveVacationMessage'],
              ...['collectiveVacationStart', 'collectiveVacationEnd', 'lgpdMessage', 'lgpdLink'],
            ],
            children: (
              <>
                {text('greetingMessage', t('greetingHint'))}
                <FileField label={tConnectionField('media')} />
                {text('complationMessage')}
                {text('outOfHoursMessage')}
                {text('collectiveVacationMessage')}
                <Pair>
                  <DayField name="collectiveVacationStart" label={tConnectionField('collectiveVacationStart')} />
                  <DayField name="collectiveVacationEnd" label={tConnectionField('collectiveVacationEnd')} />
                </Pair>
                {text('lgpdMessage')}
                <LinkField name="lgpdLink" label={tConnectionField('lgpdLink')} />
              </>
            ),
          },
          {
            ...{ id: 'chatbot', title: t('chatbot') },
            fields: [
              ...['maxUseBotQueues', 'timeUseBotQueues', 'expiresTicket', 'whenExpiresTicket', 'expiresInactiveMessage'],
              ...['timeInactiveMessage', 'inactiveMessage'],
            ],
            children: (
              <>
                <Pair>
                  {number('maxUseBotQueues', false)}
                  {number('timeUseBotQueues')}
                </Pair>
                <Pair>
                  {number('expiresTicket')}
                  <WordsField
                    name="whenExpiresTicket"
                    label={tConnectionField('whenExpiresTicket')}
                    choices={[
                      { value: '0', label: t('anyMessage') },
                      { value: '1', label: t('ourMessage') },
                    ]}
                  />
                </Pair>
                {text('expiresInactiveMessage')}
                {number('timeInactiveMessage')}
                {text('inactiveMessage')}
              </>
            ),
          },
          {
            ...{ id: 'assessments', title: t('assessments'), fields: ['ratingMessage', 'expiresTicketNPS', 'maxUseBotQueuesNPS'] },
            children: <RatingFields foreign={foreign} />,
          },
          ...(linksPhone((row ?? { provider }).provider) && !foreign
            ? [
                {
                  ...{ id: 'import', title: tImport('tab') },
                  fields: [...importFields],
                  children: <ImportFields linked={row !== null && !isUnlinked(row)} />,
                },
              ]
            : []),
          ...(settings.scheduleType === 'connection' && !foreign
            ? [
                {
                  ...{ id: 'schedules', title: t('schedules'), fields: ['schedules'] },
                  children: <HoursField label={tConnectionField('schedules')} />,
                },
              ]
            : []),
        ]}
      />
    </FormDialog>
  )
}
