import { longestText, mostLevels, mostOptions, type Option } from './contract.ts'

/** A violation in an option tree. `at`: the path of the option, such as `chatbots/0/chatbots/2`. */
export type OptionFault = { at: string; field: string } & (
  | { code: 'ERR_OPTION_TWICE' | 'ERR_OPTIONS_TOO_MANY' | 'ERR_OPTION_OWN_QUEUE' | 'ERR_OPTION_LOOP' }
  | { code: 'ERR_NO_PERMISSION/queue' } // the assigned user would not see the ticket (A-TRANSFER-05)
  | { code: 'ERR_INVALID_INPUT'; rule: 'required' | 'maxLength' }
)

/** Normalizes a name for comparison: case, accents and repeated spaces do not count. */
const plain = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').trim().replace(/\s+/g, ' ').toLowerCase()

/** The field that each type requires; a handover may leave its user open. */
const target = { queue: 'optQueueId', integration: 'optIntegrationId', file: 'optFileId' } as const

/** Returns the first violation in a queue's option tree. `queueId`: null for a new queue. `serves`: whether a user serves it. */
export function optionFault(tree: Option[], queueId: number | null, serves: (userId: number) => boolean = () => true): OptionFault | null {
  const ids = new Set<number>()
  let count = 0
  function level(options: Option[], at: string, deep: number): OptionFault | null {
    const names = new Set<string>()
    for (const [n, option] of options.entries()) {
      const here = `${at}/${n}`
      count += 1
      if (deep > mostLevels || count > mostOptions) return { at: here, field: 'name', code: 'ERR_OPTIONS_TOO_MANY' }
      if (option.id !== undefined && ids.has(option.id)) return { at: here, field: 'id', code: 'ERR_OPTION_LOOP' }
      if (option.id !== undefined) ids.add(option.id)
      const name = plain(option.name)
      if (names.has(name)) return { at: here, field: 'name', code: 'ERR_OPTION_TWICE' }
      names.add(name)
      if ((option.greetingMessage ?? '').length > longestText)
        return { at: here, field: 'greetingMessage', code: 'ERR_INVALID_INPUT', rule: 'maxLength' }
      const wanted = option.queueType in target ? target[option.queueType as keyof typeof target] : null
      if (wanted && option[wanted] === null) return { at: here, field: wanted, code: 'ERR_INVALID_INPUT', rule: 'required' }
      if (option.queueType === 'queue' && queueId !== null && option.optQueueId === queueId)
        return { at: here, field: 'optQueueId', code: 'ERR_OPTION_OWN_QUEUE' }
      if (option.queueType === 'attendent' && option.optUserId !== null && !serves(option.optUserId))
        return { at: here, field: 'optUserId', code: 'ERR_NO_PERMISSION/queue' }
      const inside = level(option.chatbots, `${here}/chatbots`, deep + 1)
      if (inside) return inside
    }
    return null
  }
  return level(tree, 'chatbots', 1)
}
