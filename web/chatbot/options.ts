import { atom } from 'jotai'
import { type ChatbotTree, type Option, optionFields } from '#domain/chatbot/contract.ts'
import type { MenuOption } from '#domain/flow/menus.ts'
import type { Queue } from '#domain/queue/contract.ts'
import { api } from '#web/api.ts'
import { createLruCache } from '#web/ui/lru-cache.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'

export const blankOption = (): Option => ({
  ...{ name: '', greetingMessage: null, queueType: 'text', closeTicket: false, chatbots: [] },
  ...{ optQueueId: null, optUserId: null, optIntegrationId: null, optFileId: null },
})
/** The fields of a stored option that the form holds. */
export const bare = (tree: ChatbotTree[]): Option[] =>
  tree.map((row) => ({
    ...(Object.fromEntries(Object.keys(optionFields).map((name) => [name, row[name as keyof ChatbotTree]])) as unknown as Option),
    ...{ id: row.id, chatbots: bare(row.chatbots) },
  }))

/** Gives options temporary ids, because options in the form may have none yet. */
export const numbered = (tree: Option[], at = 'o'): MenuOption[] =>
  tree.map((option, n) => ({ ...option, id: `${at}.${n}`, chatbots: numbered(option.chatbots, `${at}.${n}`) }))

/** Places an option before or after another, or as its last child. */
export type Where = 'top' | 'bottom' | 'inside'
const indexes = (at: string): number[] => at.split('/').flatMap((part) => (/^\d+$/.test(part) ? [Number(part)] : []))
const pathOf = (at: number[]): string => at.map((n) => `chatbots/${n}`).join('/')

/** Applies `act` to the level that contains the option at `at`. */
const inLevel = (tree: Option[], [first = 0, ...rest]: number[], act: (level: Option[], n: number) => Option[]): Option[] =>
  rest.length === 0 ? act(tree, first) : tree.with(first, { ...tree[first]!, chatbots: inLevel(tree[first]!.chatbots, rest, act) })
export const optionAt = (tree: Option[], at: string): Option | undefined =>
  indexes(at).reduce<{ chatbots: Option[] } | undefined>((over, n) => over?.chatbots[n], { chatbots: tree }) as Option | undefined

/**
 * Moves an option to any level of the tree. Returns the new tree and path, or null if the target is below the
 * option itself.
 */
export function moved(tree: Option[], from: string, to: string, where: Where): { tree: Option[]; at: string } | null {
  if (to === from || to.startsWith(`${from}/`)) return null
  const [source, target] = [indexes(from), indexes(to)]
  const option = optionAt(tree, from)
  if (!option || !optionAt(tree, to)) return null
  const level = source.length - 1
  const sibling = source.slice(0, level).every((n, i) => n === target[i]) && target.length > level
  if (sibling && source[level]! < target[level]!) target[level]! -= 1 // the following siblings move up
  const without = inLevel(tree, source, (options, n) => options.toSpliced(n, 1))
  const end =
    where === 'inside'
      ? [...target, optionAt(without, pathOf(target))!.chatbots.length]
      : target.with(-1, target.at(-1)! + (where === 'bottom' ? 1 : 0))
  return { tree: inLevel(without, end, (options, n) => options.toSpliced(n, 0, option)), at: pathOf(end) }
}

type Lead = { id: number; name: string }
/** `serves`: whether the agent takes tickets of the queue; only such agents are offered. */
export type Leads = { queues: Lead[]; users: (Lead & { serves: boolean })[]; files: Lead[] }

const kept = createLruCache((id: number) => createRemoteAtom(() => api.queues.find({ params: { id } })), 100)
const targets = (tree: Option[]): number[] =>
  tree.flatMap(({ queueType, optQueueId, chatbots }) => [
    ...(queueType === 'queue' && optQueueId !== null ? [optQueueId] : []),
    ...targets(chatbots),
  ])
/**
 * The queues that a tree leads to, directly or through other queues, as far as they have loaded. `own` is left
 * out.
 */
const ledTo = createLruCache((of: { own: number | null; ids: number[] }) =>
  atom((get) => {
    const found = new Map<number, Queue>()
    const ids = [...of.ids]
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      if (id === of.own || found.has(id)) continue
      const now = get(kept(id))
      if (now.state !== 'ready') continue
      found.set(id, now.value)
      ids.push(...targets(now.value.chatbots))
    }
    return found
  }),
)
export const ledFrom = (own: number | null, tree: Option[]) => ledTo({ own, ids: [...new Set(targets(tree))].sort((a, b) => a - b) })
