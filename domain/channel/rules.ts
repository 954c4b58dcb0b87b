import { asButtons, asChoices, fitsTemplate, type Interactive } from '#domain/interactive/rules.ts'
import { type Channel, type ChannelDescriptor, channels, linksPhone } from './channels.ts'

/** The same registry, for the ticket's decide tables. */
export const can = channels

/**
 * `open`: everybody may answer. `person`: only people may still answer. `closed`: nobody may until the customer writes again.
 * `until`: milliseconds since 1970.
 */
export type Answering = { is: 'open' | 'person'; until: number | null } | { is: 'closed' }
/** Returns whether a channel accepts an answer now. `heardAt`: when the customer wrote last; null: never. */
export function answering(
  { channel, isGroup, heardAt }: { channel: Channel; isGroup: boolean; heardAt: string | null },
  now: number,
): Answering {
  const { window } = channels[channel]
  if (!window || isGroup) return { is: 'open', until: null }
  const lastInboundAt = heardAt === null ? Number.NEGATIVE_INFINITY : Date.parse(heardAt)
  if (now < lastInboundAt + window.anybodyMs) return { is: 'open', until: lastInboundAt + window.anybodyMs }
  return now < lastInboundAt + window.personMs ? { is: 'person', until: lastInboundAt + window.personMs } : { is: 'closed' }
}

/** The connection that sends a message. `enabled`: it sends interactive messages, not only text. */
export type AnsweringWay = { channel: Channel; provider: string; group: boolean; enabled: boolean }
/** `both`: text with the interactive part below; `choices`: text with its options below; `buttons`: one button per option. */
export type Leaving = 'touch' | 'both' | 'buttons' | 'choices' | 'words'
/** Returns the form in which an interactive message is sent. Phones do not show interactive messages in groups. */
export function leavesAs(of: Interactive, { channel, provider, group, enabled }: AnsweringWay): Leaving {
  const { format, kinds } = channels[channel].interactive
  return enabled && !group && kinds.includes(of.kind) ? forms[format](of, provider) : 'words'
}
const forms: Record<ChannelDescriptor['interactive']['format'], (of: Interactive, provider: string) => Leaving> = {
  // some phones show only the text; simulated ones show everything
  native: (_, provider) => (linksPhone(provider) ? 'both' : 'touch'),
  cloud: (of) => (of.kind === 'list' && asButtons(of) ? 'buttons' : 'touch'),
  messenger(of) {
    if (of.kind === 'list') return asChoices(of) ? 'choices' : 'words'
    return fitsTemplate(of) ? 'touch' : 'words'
  },
}
