import type { Static } from 'typebox'
import * as Type from 'typebox'
import { channelOfProvider, linksPhone, type Provider, providers, setupOf } from '#domain/channel/channels.ts'
import { type Connection, connection } from '#domain/connection/contract.ts'
import { isUnlinked } from '#domain/connection/rules.ts'
import { Nullable } from '#domain/contract.ts'
import { api } from '#web/api.ts'
import { HoursField } from '#web/hours/HoursField.tsx'
import { useWords } from '#web/i18n.ts'
import { useSettings, useViewer } from '#web/session.ts'
import { bodyOf, type FormFile } from '#web/ui/changed.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { FormTabs } from '#web/ui/FormTabs.tsx'
import { useSent } from '#web/ui/sent.ts'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { connectionRules, faults } from './asks.ts'
import { blankConnection } from './blank-connection.ts'
import { ChatbotFields, chatbotFields } from './ChatbotFields.tsx'
import { type Cloud, CloudFields, cloudError, cloudFieldRules, cloudOf, written } from './CloudFields.tsx'
import { cloudWords } from './cloud-words.ts'
import { GeneralFields, generalFields } from './GeneralFields.tsx'
import { GraphAccount } from './GraphAccount.tsx'
import { ImportFields } from './ImportFields.tsx'
import { importWords } from './import-words.ts'
import { usualProvider } from './list.ts'
import { MessageFields, messageFields } from './MessageFields.tsx'
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

const importDays = new Set(['importOldMessages', 'importRecentMessages'])
const ratingFields = ['ratingMessage', 'expiresTicketNPS', 'maxUseBotQueuesNPS']
const importFields = ['enableImportMessage', ...importDays, 'queueIdImportMessages', 'importOldMessagesGroups', 'closedTicketsPostImported']

type Of = {
  row: Connection | null
  /** Provider of a new connection. */
  provider: Provider
  /** The connection belongs to another company, whose queues and hours are unknown here. */
  foreign: boolean
  hasCredentials: boolean
}

async function reread(id: number) {
  const found = await api.connections.find({ params: { id }, query: {} })
  return { ...found, cloud: cloudOf(found.account) }
}

/** The tabs of the form; some exist only for certain providers or company settings. */
function useTabs({ row, provider, foreign, hasCredentials }: Of) {
  const t = useWords(connectionWords)
  const tConnectionField = useWords(connectionFieldWords)
  const tCloud = useWords(cloudWords)
  const tImport = useWords(importWords)
  const settings = useSettings()
  const account = row?.account ?? null
  const meta = { id: 'meta', title: tCloud('tab') }
  const channel = row?.channel ?? channelOfProvider(provider)
  const general = <GeneralFields row={row} channel={channel} foreign={foreign} />
  const hours = <HoursField label={tConnectionField('schedules')} />
  return [
    { id: 'general', title: t('general'), fields: generalFields, children: general },
    account && !hasCredentials && { ...meta, fields: [], children: <GraphAccount account={account} foreign={foreign} /> },
    hasCredentials && { ...meta, fields: ['cloud'], children: <CloudFields account={account} /> },
    { id: 'messages', title: t('messages'), fields: messageFields, children: <MessageFields foreign={foreign} /> },
    { id: 'chatbot', title: t('chatbot'), fields: chatbotFields, children: <ChatbotFields foreign={foreign} /> },
    { id: 'assessments', title: t('assessments'), fields: ratingFields, children: <RatingFields foreign={foreign} /> },
    linksPhone((row ?? { provider }).provider) &&
      !foreign && {
        ...{ id: 'import', title: tImport('tab'), fields: importFields },
        children: <ImportFields linked={row !== null && !isUnlinked(row)} />,
      },
    settings.scheduleType === 'connection' &&
      !foreign && { id: 'schedules', title: t('schedules'), fields: ['schedules'], children: hours },
  ].filter((tab) => tab !== false && tab !== null)
}

/** Creates or changes the connection, then uploads or removes the file of its greeting. */
function useSave({ row, hasCredentials, onMade }: Pick<Of, 'row' | 'hasCredentials'> & { onMade: (row: Connection) => void }) {
  const tUi = useWords(uiWords)
  const sent = useSent()
  async function withFile(saved: Connection, file: FormFile | undefined): Promise<Connection> {
    const params = { id: saved.id }
    if (file instanceof File) return sent(file, (how) => api.connections.attach({ params, body: {} }, how))
    if (file === null && saved.isMedia) await api.connections.detach({ params })
    return saved
  }
  return async ({ file, token, cloud, ...body }: Written, change: Partial<Written>): Promise<void> => {
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
}

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
  const tUi = useWords(uiWords)
  const tImport = useWords(importWords)
  const { companyId } = useViewer()
  const foreign = row !== null && row.companyId !== companyId // its own company sets its queues and hours
  const account = row?.account ?? null
  const hasCredentials = (row === null || account !== null) && setupOf(row?.channel ?? channelOfProvider(provider)) === 'credentials'
  const tabs = useTabs({ row, provider, foreign, hasCredentials })
  const handleSave = useSave({ row, hasCredentials, onMade })
  return (
    <FormDialog
      title={t(row ? 'edit' : providers[provider].simulated ? 'addPractice' : 'add')}
      body={Form}
      start={row ? { ...bodyOf(Form, row), cloud: cloudOf(account) } : blankConnection(provider)}
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
      <FormTabs tabs={tabs} />
    </FormDialog>
  )
}
