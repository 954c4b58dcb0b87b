import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import type { About } from '#domain/ticket/events.ts'

/** Counts messages of unknown kinds at /metrics. */
export const unknownKinds = new Counter({
  name: 'guiche_unknown_message_kinds_total',
  help: 'Messages of a kind that is not understood, by provider and kind.',
  labelNames: ['provider', 'kind'],
  registers: [],
})

/** Limit of the label's values, because a sender can make up any number of kinds. */
const mostKinds = 200
const known = new Set<string>()

/** Counts a message of an unknown kind, and logs each kind once. */
export function countUnknownKind(provider: string, about: About | undefined, logger: Pick<Logger, 'warn'>): void {
  if (about?.of !== 'kind') return
  const kind = /^[\w.-]{1,60}$/.test(about.title) ? about.title : 'other'
  const label = known.has(`${provider} ${kind}`) || known.size < mostKinds ? kind : 'other'
  if (!known.has(`${provider} ${label}`)) {
    known.add(`${provider} ${label}`)
    logger.warn({ provider, kind: label }, 'Message kind not understood; any text is shown')
  }
  unknownKinds.inc({ provider, kind: label })
}

/** Describes a message of an unknown kind. */
export const ofKind = (kind: string): About => ({ of: 'kind', title: kind.slice(0, 60), text: '', url: null })

const textual =
  /^(text|caption|title|subtitle|body|footer|name|description|message|question|answer|note|content|contentText|footerText|displayName|displayText|link|\w{0,40}url)$/i
const [mostDepth, mostTexts] = [10, 30]
/** Returns the texts and links of any content, by the usual names of their fields. */
export function textsIn(content: unknown): string[] {
  const found = new Set<string>()
  const visit = (value: unknown, name: string, depth: number): void => {
    if (found.size >= mostTexts || depth > mostDepth) return
    if (typeof value === 'string' && textual.test(name) && value.trim() !== '') found.add(value)
    else if (Array.isArray(value)) for (const one of value.slice(0, mostTexts)) visit(one, name, depth + 1)
    else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
      for (const [key, one] of Object.entries(value)) if (key !== 'contextInfo') visit(one, key, depth + 1)
  }
  visit(content, '', 0)
  return [...found]
}
