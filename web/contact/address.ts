import { channelNames } from '#domain/channel/channels.ts'

export const contactKinds = ['All', 'People', 'Groups', 'Blocked'] as const
export type ContactKind = (typeof contactKinds)[number]
/** When the last message was: at any time, never, or in a period. */
export const contactTimes = ['', 'never', 'period'] as const
export type ContactTime = (typeof contactTimes)[number]

/** The filters of the contact list, as its address names them. */
export type ContactView = {
  tagId: number | null
  kind: ContactKind
  channel: string
  last: ContactTime
  from: string | undefined
  to: string | undefined
}
export const everyContact: ContactView = { tagId: null, kind: 'All', channel: '', last: '', from: undefined, to: undefined }

const dayIn = (text: string | null) => (text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined)
/** Reads the address. An unknown value counts as absent. */
export function contactViewOf(address: URLSearchParams): ContactView {
  const tag = address.get('tag') ?? ''
  return {
    tagId: /^[1-9]\d{0,8}$/.test(tag) ? Number(tag) : null,
    kind: contactKinds.find((kind) => kind.toLowerCase() === address.get('kind')) ?? 'All',
    channel: channelNames.find((name) => name === address.get('channel')) ?? '',
    last: contactTimes.find((time) => time === address.get('last')) ?? '',
    from: dayIn(address.get('from')),
    to: dayIn(address.get('to')),
  }
}
/** The address of a view, without what is not set. */
export function contactAddressOf({ tagId, kind, channel, last, from, to }: ContactView, search: string): Record<string, string> {
  const days = last === 'period' ? { from, to } : {}
  const all = { q: search, tag: tagId ? String(tagId) : '', kind: kind === 'All' ? '' : kind.toLowerCase(), channel, last, ...days }
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
export const isFiltered = ({ tagId, kind, channel, last }: ContactView): boolean =>
  tagId !== null || kind !== 'All' || channel !== '' || last !== ''
