import type { MessageFilter } from '#domain/message-search/contract.ts'
import { type MessageKind, messageKinds } from '#domain/message-search/rules.ts'

/** What the search shows, as its address names it. */
export type SearchView = {
  q: string
  /** `customer`, `us`, the id of an agent, or empty. */
  sender: string
  kind: MessageKind | ''
  from: string | undefined
  to: string | undefined
  queues: number[]
  agents: number[]
  tags: number[]
  connections: number[]
}
export const idLists = ['queues', 'agents', 'tags', 'connections'] as const
export const emptyView: SearchView = {
  ...{ q: '', sender: '', kind: '', from: undefined, to: undefined },
  ...{ queues: [], agents: [], tags: [], connections: [] },
}

const longest = 200
const dayIn = (text: string | null) => (text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined)
const idsIn = (text: string | null) => (text ?? '').split(',').flatMap((one) => (/^[1-9]\d{0,8}$/.test(one) ? Number(one) : []))
const sender = /^(customer|us|[1-9]\d{0,8})$/

/** Reads the address. An unknown value counts as absent. */
export function viewOf(address: URLSearchParams): SearchView {
  const from = address.get('sender') ?? ''
  return {
    q: (address.get('q') ?? '').slice(0, longest).toWellFormed(),
    sender: sender.test(from) ? from : '',
    kind: messageKinds.find((kind) => kind === address.get('kind')) ?? '',
    from: dayIn(address.get('from')),
    to: dayIn(address.get('to')),
    queues: idsIn(address.get('queues')),
    agents: idsIn(address.get('agents')),
    tags: idsIn(address.get('tags')),
    connections: idsIn(address.get('connections')),
  }
}
/** The address of a view, without what is not set. */
export function addressOf({ q, sender, kind, from, to, ...lists }: SearchView): Record<string, string> {
  const set = Object.entries({ q: q.trim(), sender, kind, from, to }).filter(([, value]) => value)
  const chosen = idLists.filter((name) => lists[name].length > 0).map((name) => [name, lists[name].join(',')])
  return Object.fromEntries([...set, ...chosen])
}
export const filtersIn = ({ q: _, from, to, ...view }: SearchView): number =>
  [view.sender, view.kind, from ?? to].filter(Boolean).length + idLists.filter((name) => view[name].length > 0).length

const list = (ids: number[]) => (ids.length > 0 ? JSON.stringify(ids) : undefined)
export function filterOf({ q, sender, kind, from, to, queues, agents, tags, connections }: SearchView): MessageFilter {
  const lists = { queueIds: list(queues), users: list(agents), tags: list(tags), whatsapps: list(connections) }
  const all = { searchParam: q.trim() || undefined, sender: sender || undefined, kind: kind || undefined, from, to, ...lists }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** Number of recent searches that are kept per user on a device. */
export const mostSearches = 8
const textOf = (address: string) => viewOf(new URLSearchParams(address)).q.toLowerCase()

/** Adds a search. It replaces the one that it continues, so that a word does not stay in parts. */
export function withSearch(all: readonly string[], address: string): string[] {
  const text = textOf(address)
  const [last] = all
  if (text === '' || (last !== undefined && textOf(last) !== text && textOf(last).startsWith(text))) return [...all]
  return [address, ...all.filter((one, at) => one !== address && !(at === 0 && text.startsWith(textOf(one))))].slice(0, mostSearches)
}
