import { parseAnswer, type Ways } from './answer.ts'

/** The rule that acts and its reason in one word, which the log shows later. */
export type Because = { rule: string; reason: Reason }
export type Reason =
  | 'noQueue' // the connection has no queue
  | 'onlyQueue' // the connection has one queue, which needs no menu
  | 'queueMenu'
  | 'queueChosen'
  | 'optionMenu'
  | 'optionChosen'
  | 'onlyOption' // a level with one option is skipped
  | 'back'
  | 'first'
  | 'restarted' // the answered menu no longer exists
  | 'wrongAnswer'
  | 'tooManyMenus'
  | 'tooManyQueues'
  | 'tooManyTickets' // the bot closed too many tickets of this contact
  | 'tooDeep'
  | 'leaf'
  | 'person'
  | 'noMessage' // an option without a text ends the bot
  | 'queueMissing'
  | 'information' // a queue that only sends information
  | 'files'
  | 'integration'
  | 'outOfHours'
  | 'vacation'
  | 'audio'
  | 'botDisabled'
  | 'group'

/** What a step does, in order. */
export type Output = Because &
  (
    | { does: 'chose'; number: number; name: string }
    | { does: 'say'; text: string }
    /** The bot pauses and sends no menu. */
    | { does: 'pause' }
    | { does: 'files'; fileListId: number }
    | { does: 'setQueue'; queueId: number }
    | { does: 'wait'; node: string; text: string; menus: number }
    | { does: 'handOver'; userId: number | null }
    | { does: 'close'; farewell: boolean }
    | { does: 'integration'; integrationId: number }
  )
export type Does<K extends Output['does']> = Extract<Output, { does: K }>

/** `text`: sent when the menu is reached. `wrong`: sent before it after a wrong answer. */
export type Menu = Because & {
  text: string
  wrong: string
  choices: { name: string; next: string }[]
  back: string | null
  first: string | null
  ways: Ways
}
/** A node's outputs when it is reached. After them the flow waits at its menu, goes to `next` or ends. */
export type Node = { does: Output[]; menu?: Menu; next?: string }
/** Nodes by name; a conversation waits at a node with a menu. `lost`: the text when the bot gives up; empty: none. */
export type Flow = { start: string; nodes: Record<string, Node>; lost: string }

export type Context = {
  queueId: number | null
  /** The number of menus sent so far, and its limit; 0: no limit (A-BOT-05). */
  menus: number
  most: number
  /** A wrong answer is ignored for now (timeUseBotQueues). */
  quiet?: boolean
  /** How often the ticket may still change its queue (A-BOT-03). */
  hops: number
  /** The bot has closed too many tickets of this contact recently; people take this one. */
  keepsOpen?: boolean
  /** Queues outside their hours, with their out-of-hours texts. */
  closed?: ReadonlyMap<number, string>
}
/** `node`: the node where the conversation waits now; null: the bot ended. `menus`: the number of menus sent. */
export type Stepped = { outputs: Output[]; node: string | null; menus: number }

/** Limits of one step: skipped levels (A-BOT-04), and visited nodes. */
const mostLevels = 10
const mostNodes = 100
/** Stops two bots that answer each other, independent of the settings. */
const mostMenus = 50

/**
 * Computes one step of a conversation from its node (null: the beginning) and the customer's answer.
 * Pure: the same input gives the same result. `text` null: the message is no text.
 */
export function step(flow: Flow, node: string | null, text: string | null, now: Context): Stepped {
  const menu = node === null ? undefined : flow.nodes[node]?.menu
  if (node === null) return walk(flow, flow.start, [], now)
  if (!menu) return walk(flow, flow.start, [], now, { rule: 'A-BOT-02', reason: 'restarted' })
  const answer = parseAnswer(
    text,
    menu.choices.map(({ name }) => name),
    menu.ways,
  )
  if (now.menus >= mostMenus) return giveUp(flow, [], now.menus, { rule: 'A-BOT-05', reason: 'tooManyMenus' })
  if (answer === 'back') return walk(flow, menu.back!, [], now, { rule: 'A-BOT-02', reason: 'back' })
  if (answer === 'first') return walk(flow, menu.first!, [], now, { rule: 'A-BOT-02', reason: 'first' })
  if (answer) {
    const { name, next } = menu.choices[answer.choice]!
    const reason = menu.reason === 'queueMenu' ? 'queueChosen' : 'optionChosen'
    return walk(flow, next, [{ does: 'chose', rule: menu.rule, reason, number: answer.choice + 1, name }], now)
  }
  if (now.most > 0 && now.menus >= now.most) return giveUp(flow, [], now.menus, { rule: 'A-BOT-05', reason: 'tooManyMenus' })
  if (now.quiet) return { outputs: [], node, menus: now.menus }
  const again = `${menu.wrong}\n\n${menu.text}`
  return {
    outputs: [{ does: 'wait', rule: 'A-BOT-05', reason: 'wrongAnswer', node, text: again, menus: now.menus + 1 }],
    node,
    menus: now.menus + 1,
  }
}

const handOver = (outputs: Output[], menus: number, because: Because): Stepped => ({
  outputs: [...outputs, { does: 'handOver', userId: null, ...because }],
  node: null,
  menus,
})

/** The bot gives up and announces a person once, if there is a text for it (A-BOT-05). */
const giveUp = ({ lost: text }: Flow, outputs: Output[], menus: number, because: Because): Stepped =>
  handOver(text === '' ? outputs : [...outputs, { does: 'say', text, ...because }], menus, because)

/** Walks from a node until the flow waits or ends. `because`: overrides the reason of the menu. */
function walk(flow: Flow, from: string, outputs: Output[], now: Context, because?: Because): Stepped {
  let { queueId, hops, menus } = now
  let levels = 0
  let at: string | undefined = from
  for (let nodes = 0; at !== undefined && nodes < mostNodes; nodes++) {
    const node: Node | undefined = flow.nodes[at]
    if (!node) return giveUp(flow, outputs, menus, { rule: 'A-BOT-03', reason: 'queueMissing' })
    for (const output of node.does) {
      if (output.reason === 'onlyOption' && ++levels > mostLevels)
        return giveUp(flow, outputs, menus, { rule: 'A-BOT-04', reason: 'tooDeep' })
      if (output.does === 'close' && now.keepsOpen) return giveUp(flow, outputs, menus, { rule: 'A-BOT-03', reason: 'tooManyTickets' })
      if (output.does === 'setQueue' && output.queueId !== queueId) {
        if (hops === 0) return giveUp(flow, outputs, menus, { rule: 'A-BOT-03', reason: 'tooManyQueues' })
        hops -= 1
        menus = 0
        queueId = output.queueId
        outputs.push(output)
      } else if (output.does !== 'setQueue') outputs.push(output)
      const shut = output.does === 'setQueue' ? now.closed?.get(output.queueId) : undefined
      if (shut !== undefined) return closed(outputs, menus, shut)
      if (output.does === 'handOver' || output.does === 'close' || output.does === 'integration') return { outputs, node: null, menus }
    }
    if (node.menu) {
      const { rule, reason, text } = node.menu
      outputs.push({ does: 'wait', rule, reason, ...because, node: at, text, menus: menus + 1 })
      return { outputs, node: at, menus: menus + 1 }
    }
    at = node.next
  }
  if (at === undefined) return handOver(outputs, menus, { rule: 'A-BOT-04', reason: 'leaf' })
  return giveUp(flow, outputs, menus, { rule: 'A-BOT-04', reason: 'tooDeep' })
}

/** The chosen queue is closed: it keeps the ticket, sends its text and no menu (A-HOURS-02, A-HOURS-03). */
function closed(outputs: Output[], menus: number, text: string): Stepped {
  const because = { rule: 'A-HOURS-02', reason: 'outOfHours' } as const
  if (text.trim() !== '') outputs.push({ does: 'say', text, ...because })
  return handOver(outputs, menus, because)
}
