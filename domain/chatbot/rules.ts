import { longestText, mostLevels, mostOptions, type Option } from './contract.ts'

/** Where in a tree something does not hold: `at` is the path of the option, as `chatbots/0/chatbots/2`. */
export type OptionFault = { at: string; field: string } & (
  | { code: 'ERR_OPTION_TWICE' | 'ERR_OPTIONS_TOO_MANY' | 'ERR_OPTION_OWN_QUEUE' | 'ERR_OPTION_LOOP' }
  | { code: 'ERR_NO_PERMISSION/queue' } // who is led to would never see it (A-TRANSFER-05)
  | { code: 'ERR_INVALID_INPUT'; rule: 'required' | 'maxLength' }
)

/** As names are told apart: whatever their capitals, accents and spaces. */
const plain = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').trim().replace(/\s+/g, ' ').toLowerCase()

/** What a type has to name; who it hands over to may be left open. */
const target = { queue: 'optQueueId', integration: 'optIntegrationId', file: 'optFileId' } as const

/** The first thing that does not hold in the tree of a queue; `queueId` is null where that is new. `serves`: who takes tickets of it. */
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
