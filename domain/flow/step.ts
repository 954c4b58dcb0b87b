import { understood, type Ways } from './answer.ts'

/** By which rule something is done, and why in one word: it can be told afterwards. */
export type Because = { rule: string; reason: Reason }
export type Reason =
  | 'noQueue' // the connection has none to offer
  | 'onlyQueue' // it has one, which is not asked for
  | 'queueMenu'
  | 'queueChosen'
  | 'optionMenu'
  | 'optionChosen'
  | 'onlyOption' // a level with one option is passed over
  | 'back'
  | 'first'
  | 'restarted' // the menu that was answered is no more
  | 'wrongAnswer'
  | 'tooManyMenus'
  | 'tooManyQueues'
  | 'tooManyTickets' // it closed one after the other of this contact
  | 'tooDeep'
  | 'leaf'
  | 'person'
  | 'noMessage' // an option without a text leads no further
  | 'queueMissing'
  | 'information' // a queue that only tells something
  | 'files'
  | 'integration'
  | 'outOfHours'
  | 'vacation'
  | 'audio'
  | 'botDisabled'
  | 'group'

/** What a step asks for, in its order. */
export type Output = Because &
  (
    | { does: 'chose'; number: number; name: string }
    | { does: 'say'; text: string }
    /** Nothing is asked for now. */
    | { does: 'pause' }
    | { does: 'files'; fileListId: number }
    | { does: 'setQueue'; queueId: number }
    | { does: 'wait'; node: string; text: string; menus: number }
    | { does: 'handOver'; userId: number | null }
    | { does: 'close'; farewell: boolean }
    | { does: 'integration'; integrationId: number }
  )
export type Does<K extends Output['does']> = Extract<Output, { does: K }>

/** `text`: shown when it is reached; the one of a wrong answer goes before it. */
export type Menu = Because & {
  text: string
  wrong: string
  choices: { name: string; next: string }[]
  back: string | null
  first: string | null
  ways: Ways
}
/** What is done where it is reached; then it waits, goes on, or is over. */
export type Node = { does: Output[]; menu?: Menu; next?: string }
/** Nodes by their names; a conversation stands at one with a menu. `lost`: what is said where it gives up; empty: nothing. */
export type Flow = { start: string; nodes: Record<string, Node>; lost: string }

export type Context = {
  queueId: number | null
  /** How many menus this conversation was shown (A-BOT-05), and the most it may be; 0: any number. */
  menus: number
  most: number
  /** A wrong answer is passed over in silence for now (timeUseBotQueues). */
  quiet?: boolean
  /** How often it may still change its queue (A-BOT-03). */
  hops: number
  /** It has closed enough tickets of this contact for now: people have this one. */
  keepsOpen?: boolean
  /** Queues that are closed now, with what they say then. */
  closed?: ReadonlyMap<number, string>
}
/** `node`: where it stands afterwards; null: it is over. `menus`: shown by then. */
export type Stepped = { outputs: Output[]; node: string | null; menus: number }

/** Levels that are passed over by themselves (A-BOT-04), and everything else that a walk does without asking. */
const mostLevels = 10
const mostNodes = 100
/** Two bots that answer each other end here, whatever else is set. */
const mostMenus = 50

/**
 * One step of a conversation: from where it stands (null: it begins) with what the customer answered to what is to be done. Pure: the same
 * step again is the same. `text` null: something that is no text.
 */
export function step(flow: Flow, node: string | null, text: string | null, now: Context): Stepped {
  const menu = node === null ? undefined : flow.nodes[node]?.menu
  if (node === null) return walk(flow, flow.start, [], now)
  if (!menu) return walk(flow, flow.start, [], now, { rule: 'A-BOT-02', reason: 'restarted' })
  const answer = understood(
    text,
    menu.choices.map(({ name }) => name),
    menu.ways,
  )
  if (now.menus >= mostMenus) return lost(flow, [], now.menus, { rule: 'A-BOT-05', reason: 'tooManyMenus' })
  if (answer === 'back') return walk(flow, menu.back!, [], now, { rule: 'A-BOT-02', reason: 'back' })
  if (answer === 'first') return walk(flow, menu.first!, [], now, { rule: 'A-BOT-02', reason: 'first' })
  if (answer) {
    const { name, next } = menu.choices[answer.choice]!
    const reason = menu.reason === 'queueMenu' ? 'queueChosen' : 'optionChosen'
    return walk(flow, next, [{ does: 'chose', rule: menu.rule, reason, number: answer.choice + 1, name }], now)
  }
  if (now.most > 0 && now.menus >= now.most) return lost(flow, [], now.menus, { rule: 'A-BOT-05', reason: 'tooManyMenus' })
  if (now.quiet) return { outputs: [], node, menus: now.menus }
  const again = `${menu.wrong}\n\n${menu.text}`
  return {
    outputs: [{ does: 'wait', rule: 'A-BOT-05', reason: 'wrongAnswer', node, text: again, menus: now.menus + 1 }],
    node,
    menus: now.menus + 1,
  }
}

const over = (outputs: Output[], menus: number, because: Because): Stepped => ({
  outputs: [...outputs, { does: 'handOver', userId: null, ...because }],
  node: null,
  menus,
})

/** It gives up: that people go on is said once, where there is a text for it (A-BOT-05). */
const lost = ({ lost: text }: Flow, outputs: Output[], menus: number, because: Because): Stepped =>
  over(text === '' ? outputs : [...outputs, { does: 'say', text, ...because }], menus, because)

/** On from a node until it waits or is over. `because`: why a menu is shown, where it is not for its own sake. */
function walk(flow: Flow, from: string, outputs: Output[], now: Context, because?: Because): Stepped {
  let { queueId, hops, menus } = now
  let levels = 0
  let at: string | undefined = from
  for (let nodes = 0; at !== undefined && nodes < mostNodes; nodes++) {
    const node: Node | undefined = flow.nodes[at]
    if (!node) return lost(flow, outputs, menus, { rule: 'A-BOT-03', reason: 'queueMissing' })
    for (const output of node.does) {
      if (output.reason === 'onlyOption' && ++levels > mostLevels)
        return lost(flow, outputs, menus, { rule: 'A-BOT-04', reason: 'tooDeep' })
      if (output.does === 'close' && now.keepsOpen) return lost(flow, outputs, menus, { rule: 'A-BOT-03', reason: 'tooManyTickets' })
      if (output.does === 'setQueue' && output.queueId !== queueId) {
        if (hops === 0) return lost(flow, outputs, menus, { rule: 'A-BOT-03', reason: 'tooManyQueues' })
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
  if (at === undefined) return over(outputs, menus, { rule: 'A-BOT-04', reason: 'leaf' })
  return lost(flow, outputs, menus, { rule: 'A-BOT-04', reason: 'tooDeep' })
}

/** The queue that was chosen is closed: it keeps the ticket, says so, and asks nothing (A-HOURS-02, A-HOURS-03). */
function closed(outputs: Output[], menus: number, text: string): Stepped {
  const because = { rule: 'A-HOURS-02', reason: 'outOfHours' } as const
  if (text.trim() !== '') outputs.push({ does: 'say', text, ...because })
  return over(outputs, menus, because)
}
