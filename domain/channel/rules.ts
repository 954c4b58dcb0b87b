import { asButtons, asChoices, fitsTemplate, type Interactive } from '#domain/interactive/rules.ts'
import type { Channel } from '#domain/ticket/events.ts'

const hour = 3_600_000
type Window = {
  /** How long after the customer's last message automatic answers and people's answers are allowed, in milliseconds. */
  anybodyMs: number
  personMs: number
  /** After the window, a template that the provider approved can still be sent. */
  templates: boolean
}
/**
 * What a channel can do with a sent message, and its answer window; null: no window. `once`: sending the same id twice
 * delivers one message.
 */
type Capabilities = { edit: boolean; remove: boolean; once: boolean; window: Window | null }

const messenger: Capabilities = {
  edit: false,
  remove: false,
  once: false,
  window: { anybodyMs: 24 * hour, personMs: 7 * 24 * hour, templates: false },
}
export const can: Record<Channel, Capabilities> = {
  whatsapp: { edit: true, remove: true, once: true, window: null },
  whatsappapi: { edit: false, remove: false, once: false, window: { anybodyMs: 24 * hour, personMs: 24 * hour, templates: true } },
  facebook: messenger,
  instagram: messenger,
}

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
  const { window } = can[channel]
  if (!window || isGroup) return { is: 'open', until: null }
  const lastInboundAt = heardAt === null ? Number.NEGATIVE_INFINITY : Date.parse(heardAt)
  if (now < lastInboundAt + window.anybodyMs) return { is: 'open', until: lastInboundAt + window.anybodyMs }
  return now < lastInboundAt + window.personMs ? { is: 'person', until: lastInboundAt + window.personMs } : { is: 'closed' }
}

/** The connection that sends a message. `enabled`: it sends interactive messages, not only text. */
export type Way = { channel: Channel; provider: string; group: boolean; enabled: boolean }
/** `both`: text with the interactive part below; `choices`: text with its options below; `buttons`: one button per option. */
export type Leaving = 'touch' | 'both' | 'buttons' | 'choices' | 'words'
/** Returns the form in which an interactive message is sent. Phones do not show interactive messages in groups. */
export function leavesAs(of: Interactive, { channel, provider, group, enabled }: Way): Leaving {
  if (!enabled || group) return 'words'
  if (channel === 'whatsapp') return provider === 'beta' ? 'both' : 'touch'
  if (of.kind === 'list') {
    if (channel === 'whatsappapi') return asButtons(of) ? 'buttons' : 'touch'
    return asChoices(of) ? 'choices' : 'words'
  }
  if (channel === 'whatsappapi') return of.kind === 'url' ? 'touch' : 'words'
  const has = of.kind === 'url' || (of.kind === 'call' && channel === 'facebook')
  return has && fitsTemplate(of) ? 'touch' : 'words'
}
