import { type Kysely, sql } from 'kysely'
import { compile, type MenuOption, type MenuQueue } from '#domain/flow/menus.ts'
import type { Setup } from '#domain/flow/reply-rules.ts'
import type { Schedules } from '#domain/hours/contract.ts'
import { customerLanguageOf, on, type Settings } from '#domain/setting/contract.ts'
import type { Media } from '#domain/ticket/events.ts'
import { createStoreBatchLoader } from '#projections/batch-loader.ts'
import type { Database } from '#projections/database.ts'
import { filesOf } from '../file-list/read.ts'
import { settingsOf } from '../setting/read.ts'

type Option = Omit<MenuOption, 'chatbots' | 'id'> & { id: number; queueId: number; chatBotId: number | null }
type Queue = Omit<MenuQueue, 'chatbots'> & { outOfHoursMessage: string | null; schedules: Schedules; rotates: boolean }
/** A connection's bot configuration, as stored. */
type BotConfig = {
  greetingMessage: string | null
  complationMessage: string | null
  outOfHoursMessage: string | null
  maxUseBotQueues: number
  timeUseBotQueues: number
  vacationStart: string | null
  vacationEnd: string | null
  vacationText: string | null
  schedules: Schedules
  companySchedules: Schedules
  holidays: string[]
  greetingFile: Media | null
  queueIds: number[]
  queues: Queue[]
  options: Option[]
}
export type Contact = { name: string; number: string; email: string; isGroup: boolean; disableBot: boolean; acceptAudioMessage: boolean }
export type BotContext = {
  setup: Setup
  settings: Settings
  contact: Contact
  farewell: string | null
  greetingFile: Media | null
  queueName: (id: number | null) => string
  filesOf: (fileListId: number) => ReturnType<typeof filesOf>
}

/**
 * Reads the configuration each time, so that a change takes effect in every process. Concurrent reads share
 * one query. The row is returned as JSON text, which is the cache key of `compiled`.
 */
const readConfig = createStoreBatchLoader(async (db: Kysely<Database>, ids: number[]): Promise<(string | undefined)[]> => {
  const { rows } = await sql<{ id: number; text: string }>`
    select c.id, json_build_object(
      'greetingMessage', c.greeting_message, 'complationMessage', c.complation_message, 'outOfHoursMessage', c.out_of_hours_message,
      'maxUseBotQueues', c.max_use_bot_queues, 'timeUseBotQueues', c.time_use_bot_queues, 'vacationStart', c.collective_vacation_start,
      'vacationEnd', c.collective_vacation_end, 'vacationText', c.collective_vacation_message, 'schedules', c.schedules,
      'companySchedules', co.schedules,
      'holidays', coalesce((select json_agg(h.date order by h.date) from holiday h where h.company_id = c.company_id), '[]'),
      'greetingFile', (select f.media from row_file f where f.list = 'connection' and f.row_id = c.id),
      'queueIds', coalesce((select json_agg(q.id order by q.order_queue nulls last, q.id) from connection_queue cq join queue q on q.id = cq.queue_id
        where cq.connection_id = c.id and q.retired_at is null), '[]'),
      'queues', coalesce((select json_agg(json_build_object('id', q.id, 'name', q.name, 'greetingMessage', q.greeting_message,
        'closeTicket', q.close_ticket, 'integrationId', q.integration_id, 'fileListId', q.file_list_id,
        'outOfHoursMessage', q.out_of_hours_message, 'schedules', q.schedules, 'rotates', q.ativar_roteador and q.tempo_roteador > 0) order by q.id)
        from queue q where q.company_id = c.company_id and q.retired_at is null), '[]'),
      'options', coalesce((select json_agg(json_build_object('id', o.id, 'queueId', o.queue_id, 'chatBotId', o.chat_bot_id, 'name', o.name,
        'greetingMessage', o.greeting_message, 'queueType', o.queue_type, 'closeTicket', o.close_ticket, 'optQueueId', o.opt_queue_id,
        'optUserId', (select u.id from "user" u where u.id = o.opt_user_id and u.company_id = c.company_id and u.retired_at is null), 'optIntegrationId', o.opt_integration_id, 'optFileId', o.opt_file_id) order by o.position, o.id)
        from menu_option o join queue q on q.id = o.queue_id where q.company_id = c.company_id and q.retired_at is null), '[]'))::text as text
    from connection c join company co on co.id = c.company_id where c.id = any(${[...new Set(ids)]}::int[])`.execute(db)
  const found = new Map(rows.map(({ id, text }) => [id, text]))
  return ids.map((id) => found.get(id))
})

const readContact = createStoreBatchLoader(async (db: Kysely<Database>, ids: number[]): Promise<(Contact | undefined)[]> => {
  const { rows: found } = await sql<Contact & { id: number }>`
    select own.id, c.name, own.number, c.email, own.is_group, c.disable_bot, c.accept_audio_message
    from contact own join contact c on c.id = own.person_id where own.id = any(${[...new Set(ids)]}::int[])`.execute(db)
  const known = new Map(found.map((one) => [one.id, one]))
  return ids.map((id) => known.get(id))
})

type Compiled = Omit<Setup, 'takesAudio' | 'botDisabled' | 'group'> & {
  farewell: string | null
  greetingFile: Media | null
  names: ReadonlyMap<number, string>
}
/** The latest compiled configuration of each connection, valid while its JSON text is unchanged. */
const compiledByConnection = new Map<number, { key: string; compiled: Compiled }>()

function compiledOf(connectionId: number, text: string, settings: Settings): Compiled {
  const { timeZone, scheduleType, customerLanguage, sendGreetingMessageOneQueues, handOverMessage } = settings
  const { userRandom, DirectTicketsToWallets, sendQueuePosition } = settings
  const switches = [sendGreetingMessageOneQueues, userRandom, DirectTicketsToWallets, sendQueuePosition]
  const key = [timeZone, scheduleType, customerLanguage, handOverMessage, ...switches, text].join('\n')
  const last = compiledByConnection.get(connectionId)
  if (last?.key === key) return last.compiled
  const compiled = madeOf(JSON.parse(text) as BotConfig, settings)
  if (compiledByConnection.size > 2000) compiledByConnection.clear()
  compiledByConnection.set(connectionId, { key, compiled })
  return compiled
}

function madeOf(set: BotConfig, settings: Settings): Compiled {
  const below = Map.groupBy(set.options, ({ queueId, chatBotId }) => (chatBotId === null ? `queue ${queueId}` : chatBotId))
  const tree = (of: number | string): MenuOption[] => (below.get(of) ?? []).map((option) => ({ ...option, chatbots: tree(option.id) }))
  const { greetingMessage, queueIds, vacationStart, vacationEnd, vacationText } = set
  const queues = set.queues.map((queue) => ({ ...queue, chatbots: tree(`queue ${queue.id}`) }))
  const type = settings.scheduleType
  const language = customerLanguageOf(settings)
  const schedules = type === 'company' ? set.companySchedules : set.schedules
  const assigned = (['userRandom', 'DirectTicketsToWallets', 'sendQueuePosition'] as const).some((key) => on(settings, key))
  return {
    language,
    timeZone: settings.timeZone,
    holidays: set.holidays,
    hours:
      type === 'company' || type === 'connection'
        ? { of: type, schedules, closedText: set.outOfHoursMessage ?? '' }
        : { of: type === 'queue' ? 'queue' : 'disabled' },
    queues: new Map(
      set.queues.map(({ id, schedules, outOfHoursMessage, rotates }) => [
        id,
        { schedules, closedText: outOfHoursMessage ?? '', assigns: rotates || assigned },
      ]),
    ),
    vacation: vacationStart && vacationEnd ? { start: vacationStart, end: vacationEnd, text: vacationText ?? '' } : null,
    flow: compile({
      ...{ greetingMessage, queueIds, queues, language },
      greetsForOne: on(settings, 'sendGreetingMessageOneQueues'),
      handOverMessage: settings.handOverMessage,
    }),
    mostMenus: set.maxUseBotQueues,
    quietMinutes: set.timeUseBotQueues,
    farewell: set.complationMessage,
    greetingFile: set.greetingFile,
    greetsByFile: set.greetingFile !== null,
    names: new Map(set.queues.map(({ id, name }) => [id, name])),
  }
}

/** Loads the configuration that decides how a contact is answered; null: the connection or contact is gone. */
export async function loadBotContext(
  db: Kysely<Database>,
  { companyId, connectionId, contactId }: { companyId: number; connectionId: number; contactId: number },
): Promise<BotContext | null> {
  const [text, contact, settings] = await Promise.all([readConfig(db, connectionId), readContact(db, contactId), settingsOf(db, companyId)])
  if (text === undefined || !contact) return null
  const { farewell, greetingFile, names, ...setup } = compiledOf(connectionId, text, settings)
  return {
    setup: {
      ...setup,
      takesAudio: on(settings, 'acceptAudioMessageContact') && contact.acceptAudioMessage,
      botDisabled: contact.disableBot,
      group: contact.isGroup,
    },
    ...{ settings, contact, farewell, greetingFile },
    queueName: (id) => (id === null ? '' : (names.get(id) ?? '')),
    filesOf: (fileListId) => filesOf(db, companyId, fileListId),
  }
}
