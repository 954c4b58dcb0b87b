import type { Decider, TypedMessage } from './decider.ts'
import type { StateWindow } from './state-window.ts'

type Old = Record<string, unknown>

/** A stream category, as the event store and its subscribers use it. A stream is named `<stream>-<companyId>-<id>`. */
export type StreamCategory<E extends TypedMessage = TypedMessage> = {
  stream: string
  /** Event fields that identify a person or contain their text. The event store keeps them encrypted only. */
  personal: { [N in E['type']]?: string[] }
  /**
   * Converts old events: `name@version` → the same event in the next version. An event whose fields change
   * their meaning gets a row here; from then on it is written in the next version.
   */
  upcasts: { [N in `${E['type']}@${number}`]?: (old: Old) => Old }
}

/** A stream category with its decider, its snapshots and its state window. */
export type Aggregate<S, C extends TypedMessage, E extends TypedMessage> = Decider<S, C, E> &
  StreamCategory<E> & {
    /** Returns the contact whose key encrypts the stream, from its first events. Absent: the stream has no contact. */
    contactOf?: (made: E[]) => number
    /** How a snapshot stores the state. The state contains no personal text, because a fold never decrypts. */
    snapshot: {
      /** Increased with every change to the state or to `evolve`, so that outdated snapshots are not used. */
      version: number
      serialize: (state: S) => string
      deserialize: (text: string) => S
    }
    /** Absent: the state does not grow with its stream. */
    stateWindow?: StateWindow<S, C | E>
  }
/** For a state that is plain JSON. */
export const asJson = { serialize: (state: unknown) => JSON.stringify(state), deserialize: (text: string) => JSON.parse(text) }

export const prefixOf = ({ stream }: Pick<StreamCategory, 'stream'>): string => `${stream}-`
/** The name contains the company, so the stream of another company does not exist. */
export const streamName = (of: Pick<StreamCategory, 'stream'>, companyId: number, id: number): string => `${prefixOf(of)}${companyId}-${id}`
export const kindIn = (stream: string): string => stream.replace(/-\d+-\d+$/, '')
export const idIn = (stream: string): number => Number(stream.slice(stream.lastIndexOf('-') + 1))

type Upcasts = { [name: string]: ((old: Old) => Old) | undefined }
/** Returns the version in which an event is written today. */
export function versionOf({ upcasts }: { upcasts: Upcasts }, type: string): number {
  let version = 1
  while (Object.hasOwn(upcasts, `${type}@${version}`)) version++
  return version
}
/** Converts an event to its current version. */
export function upcast(of: { upcasts: Upcasts }, type: string, version: number, data: Old): Old {
  const next = of.upcasts[`${type}@${version}`]
  return next ? upcast(of, type, version + 1, next(data)) : data
}
