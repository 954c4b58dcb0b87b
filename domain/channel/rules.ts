import { asButtons, asChoices, fitsTemplate, type Interactive } from '#domain/interactive/rules.ts'
import type { Channel } from '#domain/ticket/events.ts'

const hour = 3_600_000
type Window = {
  /** How long after the customer's last word anybody may answer, and how long a person may, in milliseconds. */
  anybodyMs: number
  personMs: number
  /** Behind it a template that the provider approved still reaches them. */
  templates: boolean
}
/** What a channel can do with a message of ours that has left, and how long it takes answers; null: at any time. `once`: its reader has what comes twice under one id once. */
type Can = { edit: boolean; remove: boolean; once: boolean; window: Window | null }

const ofMessenger: Can = {
  edit: false,
  remove: false,
  once: false,
  window: { anybodyMs: 24 * hour, personMs: 7 * 24 * hour, templates: false },
}
export const can: Record<Channel, Can> = {
  whatsapp: { edit: true, remove: true, once: true, window: null },
  whatsappapi: { edit: false, remove: false, once: false, window: { anybodyMs: 24 * hour, personMs: 24 * hour, templates: true } },
  facebook: ofMessenger,
  instagram: ofMessenger,
}

/** `open`: for anybody; `person`: a day has passed, and people may still answer; `closed`: until the customer writes again. `until`: in milliseconds since 1970. */
export type Answering = { is: 'open' | 'person'; until: number | null } | { is: 'closed' }
/** Whether a channel takes an answer now, by when the customer wrote last; null: never. */
export function answering(
  { channel, isGroup, heardAt }: { channel: Channel; isGroup: boolean; heardAt: string | null },
  now: number,
): Answering {
  const { window } = can[channel]
  if (!window || isGroup) return { is: 'open', until: null }
  const heard = heardAt === null ? Number.NEGATIVE_INFINITY : Date.parse(heardAt)
  if (now < heard + window.anybodyMs) return { is: 'open', until: heard + window.anybodyMs }
  return now < heard + window.personMs ? { is: 'person', until: heard + window.personMs } : { is: 'closed' }
}

/** By what a message goes. `enabled`: its connection sends what is touched, and not words alone. */
export type Way = { channel: Channel; provider: string; group: boolean; enabled: boolean }
/** `both`: in words, and below them what is touched; `choices`: the same, by its options; `buttons`: each option is one. */
export type Leaving = 'touch' | 'both' | 'buttons' | 'choices' | 'words'
/** As what it reaches its reader. No phone shows in a group what is made by hand. */
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
