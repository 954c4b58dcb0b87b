import type { TicketEvent } from './events.ts'

type Old = Record<string, unknown>
type Name = TicketEvent['type']

/**
 * What an old log says, in today's words: `name@version` → the fact as the next version would have told it.
 * A fact whose fields change their meaning gets a row here, and is from then on written under the next version.
 */
const upcasts: { [N in `${Name}@${number}`]?: (old: Old) => Old } = {
  /** Of a participant of a group only the name was told. */
  'MessageReceived@1': ({ senderName, ...rest }) => ({
    ...rest,
    participant: senderName == null ? null : { id: '', name: senderName },
    author: null,
  }),
}

/** The version in which a fact is written today. */
export function versionOf(type: string): number {
  let version = 1
  while (Object.hasOwn(upcasts, `${type}@${version}`)) version++
  return version
}

/** A fact as it would be told today. */
export function upcast(type: string, version: number, data: Old): Old {
  const next = upcasts[`${type}@${version}` as keyof typeof upcasts]
  return next ? upcast(type, version + 1, next(data)) : data
}
