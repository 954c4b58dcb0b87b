import { Tag } from '@blueprintjs/core'
import { Layers } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import type { Static } from 'typebox'
import * as Type from 'typebox'
import { type Option, Options } from '#domain/chatbot/contract.ts'
import { optionFault } from '#domain/chatbot/rules.ts'
import { Id } from '#domain/contract.ts'
import { defaultHours } from '#domain/hours/contract.ts'
import { type QueueRow, queue, rotationMinutes } from '#domain/queue/contract.ts'
import { byQueueOrder } from '#domain/queue/rules.ts'
import { searchable } from '#domain/text/rules.ts'
import { mayEditUser } from '#domain/user/contract.ts'
import { api } from '#web/api.ts'
import { BotField } from '#web/chatbot/BotField.tsx'
import { useOptionMerger } from '#web/chatbot/option-merger.ts'
import { bare } from '#web/chatbot/options.ts'
import { botWords } from '#web/chatbot/words.ts'
import { fileListChoices } from '#web/file-list/choices.ts'
import { HoursField } from '#web/hours/HoursField.tsx'
import { hoursProblem } from '#web/hours/words.ts'
import { translate, useWords } from '#web/i18n.ts'
import { CustomerTextOrNullField } from '#web/message/customer-text/CustomerTextField.tsx'
import { QueueWritten } from '#web/message/customer-text/reader.ts'
import { useSettings, useViewer } from '#web/session.ts'
import { GreetingOfQueue } from '#web/setting/GreetingOfOne.tsx'
import { userChoices } from '#web/ticket/choices.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { anyColour } from '#web/ui/colour.ts'
import { FormTabs } from '#web/ui/FormTabs.tsx'
import { ChoiceField, ColourField, NumberOrNullField, SwitchField, TextField } from '#web/ui/fields.tsx'
import { ResourceScreen } from '#web/ui/Resource.tsx'
import { resourceList } from '#web/ui/resourceList.ts'
import table from '#web/ui/Table.module.css'
import { uiWords } from '#web/ui/words.ts'
import { ManyField } from '#web/user/fields.tsx'
import { RetireQueue } from './RetireQueue.tsx'
import { queueWords } from './words.ts'

/** The published call returns the whole list without a search, so the search runs here. */
const list = resourceList<QueueRow>(
  queue,
  async ({ searchParam = '' }) => {
    const rows = await api.queues.list()
    return { rows: rows.filter(({ name }) => searchable(name).includes(searchable(searchParam.trim()))), hasMore: false }
  },
  { order: byQueueOrder },
)

/** A queue with its menu and its users. */
const Form = Type.Object({ ...queue.Body.properties, id: Type.Optional(Id), chatbots: Options, userIds: Type.Array(Id) })
type Written = Static<typeof Form>
/** An unchanged menu is not sent, so its faults do not stop the form. */
const bot = (value: unknown, stored: unknown) =>
  JSON.stringify(value) !== JSON.stringify(stored) && optionFault(value as Option[], null) ? translate(uiWords, 'badValue') : null
const find = async (ask: { params: { id: number } }) => {
  const row = await api.queues.find(ask)
  return { ...row, chatbots: bare(row.chatbots) }
}

const blank = (others: QueueRow[]) => ({
  ...{
    name: '',
    color: anyColour(others.map(({ color }) => color)),
    greetingMessage: null,
    orderQueue: null,
    outOfHoursMessage: null,
    schedules: defaultHours.queue,
  },
  ...{ ativarRoteador: false, tempoRoteador: 0 as const, integrationId: null, fileListId: null, closeTicket: false },
  ...{ chatbots: [], userIds: [] },
})

export function Queues() {
  const t = useWords(queueWords)
  const all = useAtomValue(list.lists('').all)
  const mergeOptions = useOptionMerger()
  return (
    <ResourceScreen
      list={list}
      calls={{
        ...api.queues,
        find,
        create: ({ body: { id: _, ...body } }: { body: Written }) => api.queues.create({ body }),
        update: ({ params, body: { id: _, ...body } }: { params: { id: number }; body: Partial<Written> }) =>
          api.queues.update({ params, body }),
        remove: ({ params }) => api.queues.remove({ params, query: {} }),
      }}
      body={Form}
      may={queue.calls.create}
      partial
      arrange={(ids) => api.queues.arrange({ body: { ids } })}
      mergers={{ chatbots: mergeOptions }}
      texts={{ title: t('title'), add: t('add'), edit: t('edit'), empty: t('empty'), lead: t('lead') }}
      icon={<Layers size={20} />}
      blank={() => blank(all)} // no two queues share a colour (R-QUEUE-02)
      name={({ name }) => name}
      removal={(row, close) => <RetireQueue key={row.id} queue={row} onClose={close} />}
      beside={{ ERR_QUEUE_COLOR_ALREADY_EXISTS: 'color', ERR_DUPLICATED_NAME: 'name' }}
      rules={{ chatbots: bot, schedules: hoursProblem }}
      columns={[
        { title: t('name'), cell: ({ name, color }) => <Chip name={name} color={color} /> },
        { title: t('greeting'), cell: ({ greetingMessage }) => <span className={table.muted}>{greetingMessage}</span>, wide: true },
        {
          title: t('users'),
          cell: ({ usersCount }) =>
            usersCount === 0 ? (
              <Tag minimal intent="warning">
                {t('noUsers')}
              </Tag>
            ) : (
              usersCount
            ),
        },
        { title: t('order'), cell: ({ orderQueue }) => orderQueue, num: true, wide: true },
      ]}
    >
      <QueueFields />
    </ResourceScreen>
  )
}

function QueueFields() {
  const t = useWords(queueWords)
  const tBot = useWords(botWords)
  const { scheduleType } = useSettings()
  return (
    <OfQueue>
      <FormTabs
        tabs={[
          {
            ...{ id: 'data', title: t('data') },
            fields: ['name', 'color', 'orderQueue', 'ativarRoteador', 'tempoRoteador', 'closeTicket'],
            children: (
              <>
                <TextField name="name" label={t('name')} autoFocus />
                <ColourField name="color" label={t('color')} />
                <NumberOrNullField name="orderQueue" label={t('order')} optional />
                <SwitchField name="ativarRoteador" label={t('rotates')} hint={t('rotatesHint')} />
                <ChoiceField
                  name="tempoRoteador"
                  label={t('rotatesAfter')}
                  choices={rotationMinutes.map((id) => ({ id, name: id === 0 ? t('never') : t('minutes', { n: id }) }))}
                />
                <SwitchField name="closeTicket" label={t('closes')} hint={t('closesHint')} />
              </>
            ),
          },
          {
            ...{ id: 'messages', title: t('messages'), fields: ['greetingMessage', 'fileListId', 'outOfHoursMessage'] },
            children: (
              <>
                <CustomerTextOrNullField name="greetingMessage" label={t('greeting')} optional />
                <GreetingOfQueue />
                <FilesField />
                <CustomerTextOrNullField name="outOfHoursMessage" label={t('outOfHours')} optional={scheduleType !== 'queue'} />
              </>
            ),
          },
          { ...{ id: 'bot', title: tBot('bot'), fields: ['chatbots'] }, children: <BotField label={tBot('bot')} /> },
          { ...{ id: 'users', title: t('users'), fields: ['userIds'] }, children: <UsersField /> },
          ...(scheduleType === 'queue'
            ? [{ ...{ id: 'hours', title: t('hours'), fields: ['schedules'] }, children: <HoursField label={t('hours')} /> }]
            : []),
        ]}
      />
    </OfQueue>
  )
}

/** Gives the previews of the texts the queue's name from the form. */
function OfQueue({ children }: { children: ReactNode }) {
  const name = useWatch<{ name: string }, 'name'>({ name: 'name' })
  return <QueueWritten value={name}>{children}</QueueWritten>
}

/** The users that have the queue, as each user's form sets them. */
function UsersField() {
  const t = useWords(queueWords)
  const viewer = useViewer()
  const users = useAtomValue(userChoices.all).filter((user) => mayEditUser(viewer, user))
  return <ManyField name="userIds" label={t('users')} hint={t('usersHint')} choices={users} empty={t('noUsers')} />
}

function FilesField() {
  const t = useWords(queueWords)
  const lists = useAtomValue(fileListChoices.all)
  return <ChoiceField name="fileListId" label={t('files')} hint={t('filesHint')} choices={lists} none={t('noFiles')} />
}
