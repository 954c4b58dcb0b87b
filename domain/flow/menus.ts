import type { Because, Flow, Menu, Node, Output } from './step.ts'
import { type CustomerLanguage, textIn } from './texts.ts'

/** An option of a queue's tree. Any unique id works, because an unsaved option has no number yet. */
export type MenuOption = {
  id: number | string
  name: string
  greetingMessage: string | null
  queueType: 'text' | 'attendent' | 'queue' | 'integration' | 'file'
  closeTicket: boolean
  optQueueId: number | null
  optUserId: number | null
  optIntegrationId: number | null
  optFileId: number | null
  chatbots: MenuOption[]
}
export type MenuQueue = {
  id: number
  name: string
  greetingMessage: string | null
  closeTicket: boolean
  integrationId: number | null
  fileListId: number | null
  chatbots: MenuOption[]
}
export type Menus = {
  greetingMessage: string | null
  /** The queues of the connection, in menu order. */
  queueIds: number[]
  /** These queues, and those that options lead to. */
  queues: MenuQueue[]
  /** A single queue sends its own greeting instead of the connection's (sendGreetingMessageOneQueues). */
  greetsForOne: boolean
  language: CustomerLanguage
  /** The text when the bot gives up; empty: none (A-BOT-05). */
  handOverMessage: string
}

const trimmed = (text: string | null) => text?.trim() ?? ''
const queueNode = (id: number) => `queue:${id}`
const optionNode = ({ id }: MenuOption) => `option:${id}`
const menuOf = (node: string) => `${node}/menu`
/** Whether a menu is needed: a single option is chosen automatically. */
const asks = (options: { name: string }[]) => options.length > 1

type Greeting = Pick<Menus, 'greetingMessage' | 'greetsForOne'> & { queue: Pick<MenuQueue, 'greetingMessage' | 'closeTicket'> }
/** The text that a new customer reads if the connection has only this queue; empty: none (A-BOT-02). */
export const greetingOfOne = ({ greetingMessage, greetsForOne, queue }: Greeting): string =>
  (greetsForOne || queue.closeTicket ? trimmed(queue.greetingMessage) : '') || trimmed(greetingMessage)

/** The flow in the making. `only`: the connection's single queue. `first`: the first menu; null: there is none. */
type Compilation = Pick<Menus, 'language' | 'greetingMessage' | 'greetsForOne'> & {
  nodes: Record<string, Node>
  only: MenuQueue | null
  first: string | null
}
/** A level of options. `set`: sets the menu's queue again on a return from another queue. `back`: the nearest menu above. */
type Level = { at: string; set: Output; header: string; options: MenuOption[]; back: string | null }

/** Compiles the queue menu of a connection and its option trees to a flow (A-BOT-02 to A-BOT-04, A-BOT-06, A-BOT-07). */
export function compile({ greetingMessage, queueIds, queues, greetsForOne, language, handOverMessage }: Menus): Flow {
  const known = new Map(queues.map((queue) => [queue.id, queue]))
  const offered = queueIds.flatMap((id) => known.get(id) ?? [])
  const only = offered.length === 1 ? offered[0]! : null
  const first = offered.length > 1 ? menuOf('start') : firstBelow(only?.chatbots ?? [], only && queueNode(only.id))
  const nodes: Record<string, Node> = {}
  const compilation = { nodes, only, first, language, greetingMessage, greetsForOne }
  for (const queue of queues) addQueue(compilation, queue)
  addStart(compilation, offered)
  return { start: 'start', nodes, lost: trimmed(handOverMessage) }
}

/** Adds the node where the flow starts: the single queue, the queue menu, or the hand-over without one. */
function addStart(to: Compilation, offered: MenuQueue[]): void {
  const { nodes, only, greetingMessage } = to
  if (only) nodes.start = { does: [], next: queueNode(only.id) }
  else if (offered.length === 0 || trimmed(greetingMessage) === '')
    // an old connection with several queues and no greeting sends no menu (ERR_WAPP_GREETING_REQUIRED)
    nodes.start = {
      does: [
        ...saying(trimmed(greetingMessage), { rule: 'A-BOT-02', reason: 'noQueue' }),
        { does: 'handOver', userId: null, rule: 'A-BOT-02', reason: 'noQueue' },
      ],
    }
  else {
    const choices = offered.map(({ id, name }) => ({ name, next: queueNode(id) }))
    const because = { rule: 'A-BOT-02', reason: 'queueMenu' } as const
    nodes.start = { does: [], next: menuOf('start') }
    addMenu(to, menuOf('start'), { does: [], header: trimmed(greetingMessage), choices, back: null, because })
  }
}

type MenuParts = { does: Output[]; header: string; choices: Menu['choices']; back: string | null; because: Because }
/** Adds a menu node. */
function addMenu({ nodes, first, language }: Compilation, node: string, { does, header, choices, back, because }: MenuParts): void {
  const below = first !== null && node !== first
  const lines = choices.map(({ name }, i) => `*[ ${i + 1} ]* - ${name}`)
  const called = { back: textIn(language, 'back'), first: textIn(language, 'first') }
  const ways = [`*[ 0 ]* - ${called.back}`, `*[ # ]* - ${called.first}`]
  const text = [header, [...lines, ...(below ? ways : [])].join('\n')].filter((part) => part !== '').join('\n\n')
  const where = below ? { back: back ?? first, first, ways: called } : { back: null, first: null, ways: null }
  nodes[node] = { does, menu: { text, wrong: textIn(language, 'wrong'), choices, ...where, ...because } }
}

/** Compiles a level of options: a menu, or the single option. */
function addLevel(to: Compilation, { at, set, header, options, back }: Level): Pick<Node, 'does' | 'next'> {
  const because = { rule: 'A-BOT-03', reason: 'optionMenu' } as const
  for (const option of options) addOption(to, option, set, asks(options) ? menuOf(at) : back)
  if (asks(options)) {
    const choices = options.map((option) => ({ name: option.name, next: optionNode(option) }))
    addMenu(to, menuOf(at), { does: [set], header, choices, back, because })
    return { does: [], next: menuOf(at) }
  }
  const [one] = options
  const passed: Output = { does: 'chose', rule: 'A-BOT-04', reason: 'onlyOption', number: 1, name: one!.name }
  return { does: [...saying(header, because), passed], next: optionNode(one!) }
}

/** Adds the node of an option, and what is below it. */
function addOption(to: Compilation, option: MenuOption, set: Output, back: string | null): void {
  const { closeTicket, chatbots, optUserId, optQueueId, optIntegrationId, optFileId } = option
  const at = optionNode(option)
  const text = trimmed(option.greetingMessage)
  const chosen = { rule: 'A-BOT-03', reason: 'optionChosen' } as const
  const greets = saying(text, chosen)
  /** No customer is handed over without a word. */
  const announced = saying(text || textIn(to.language, 'chosen'), chosen)
  const leaf: Output = closeTicket
    ? { does: 'close', farewell: true, rule: 'A-BOT-03', reason: 'leaf' }
    : { does: 'handOver', userId: null, rule: 'A-BOT-03', reason: 'leaf' }
  const ends = closeTicket ? [...greets, leaf] : [...announced, leaf]
  const toPerson: Output = { does: 'handOver', userId: optUserId, rule: 'A-BOT-03', reason: 'person' }
  const rows: Record<MenuOption['queueType'], () => Node> = {
    text() {
      if (chatbots.length === 0) return { does: ends }
      if (text === '') return { does: [...announced, { does: 'handOver', userId: null, rule: 'A-BOT-03', reason: 'noMessage' }] }
      return addLevel(to, { at, set, header: text, options: chatbots, back })
    },
    attendent: () => ({ does: [...announced, toPerson] }),
    queue: () => ({ does: greets, next: queueNode(optQueueId ?? 0) }),
    integration: () => ({
      does:
        optIntegrationId === null
          ? ends
          : [...greets, { does: 'integration', integrationId: optIntegrationId, rule: 'A-BOT-03', reason: 'integration' }],
    }),
    file: () => ({
      does: optFileId === null ? ends : [...greets, { does: 'files', fileListId: optFileId, rule: 'A-BOT-03', reason: 'files' }, leaf],
    }),
  }
  to.nodes[at] = rows[option.queueType]()
}

/** Adds the node of a queue, and what is below it. */
function addQueue(to: Compilation, of: MenuQueue): void {
  const { nodes, first, only, language, greetingMessage, greetsForOne } = to
  const { id, integrationId, fileListId, closeTicket, chatbots } = of
  const at = queueNode(id)
  const because = { rule: 'A-BOT-02', reason: of === only ? 'onlyQueue' : 'queueChosen' } as const
  const text = of === only ? greetingOfOne({ greetingMessage, greetsForOne, queue: of }) : trimmed(of.greetingMessage)
  const set: Output = { does: 'setQueue', queueId: id, ...because }
  const files: Output[] = fileListId === null ? [] : [{ does: 'files', fileListId, rule: 'A-BOT-07', reason: 'files' }]
  const asksNext = !closeTicket && integrationId === null && chatbots.length > 0
  const waits = !closeTicket && !asksNext && integrationId === null
  const silent = text === '' && waits && files.length === 0 && of !== only
  const greets = asksNext && files.length === 0 ? [] : saying(silent ? textIn(language, 'chosen') : text, because)
  if (closeTicket)
    nodes[at] = { does: [set, ...greets, ...files, { does: 'close', farewell: false, rule: 'A-BOT-06', reason: 'information' }] }
  else if (integrationId !== null)
    nodes[at] = { does: [set, ...greets, ...files, { does: 'integration', integrationId, rule: 'A-BOT-07', reason: 'integration' }] }
  else if (waits) nodes[at] = { does: [set, ...greets, ...files, { does: 'handOver', userId: null, ...because }] }
  else {
    const below = addLevel(to, {
      at,
      set,
      header: files.length === 0 ? text : '',
      options: chatbots,
      back: first === menuOf('start') ? first : null,
    })
    nodes[at] = { ...below, does: [set, ...greets, ...files, ...below.does] }
  }
}

const saying = (text: string, because: Because): Output[] => (text === '' ? [] : [{ does: 'say', text, ...because }])

/** The first menu of a single queue, after automatically skipped levels; null: none. */
function firstBelow(options: MenuOption[], at: string | null): string | null {
  if (asks(options)) return menuOf(at!)
  const [one] = options
  return one?.queueType === 'text' && trimmed(one.greetingMessage) !== '' ? firstBelow(one.chatbots, optionNode(one)) : null
}
