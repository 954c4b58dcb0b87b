import type { Decider, TypedMessage } from './decider.ts'
import type { StateWindow } from './state-window.ts'

type Old = Record<string, unknown>

/** A kind of stream, as the log and whoever follows it know it: each of its streams is called `<stream>-<companyId>-<id>`. */
export type StreamCategory<E extends TypedMessage = TypedMessage> = {
  stream: string
  /** Which fields of a fact identify a person or carry their words: they stand in the log only sealed. */
  personal: { [N in E['type']]?: string[] }
  /**
   * What an old log says, in today's words: `name@version` → the fact as the next version would have told it. A fact whose fields change
   * their meaning gets a row here, and is from then on written under the next version.
   */
  upcasts: { [N in `${E['type']}@${number}`]?: (old: Old) => Old }
}

/** A kind of stream with what is decided over it: all that it takes to keep one. */
export type Aggregate<S, C extends TypedMessage, E extends TypedMessage> = Decider<S, C, E> &
  StreamCategory<E> & {
    /** Whose key seals what the stream tells, as its first facts say; absent: it is about nobody. */
    contactOf?: (made: E[]) => number
    /** A state as a snapshot keeps it. No personal words are in it, for a fold never opens what is sealed. */
    snapshot: {
      /** Raised with every change to the state, or to what a row of `evolve` makes of a fact: no snapshot is taken for what it is not any more. */
      version: number
      written: (state: S) => string
      readAgain: (text: string) => S
    }
    /** Absent: the state does not grow with its stream. */
    memory?: StateWindow<S, C | E>
  }
/** A state that is JSON as it is. */
export const asJson = { written: (state: unknown) => JSON.stringify(state), readAgain: (text: string) => JSON.parse(text) }

export const prefixOf = ({ stream }: Pick<StreamCategory, 'stream'>): string => `${stream}-`
/** Another company's stream does not exist: the company is a part of the name. */
export const streamIn = (of: Pick<StreamCategory, 'stream'>, companyId: number, id: number): string => `${prefixOf(of)}${companyId}-${id}`
export const kindIn = (stream: string): string => stream.replace(/-\d+-\d+$/, '')
export const idIn = (stream: string): number => Number(stream.slice(stream.lastIndexOf('-') + 1))

type Upcasts = { [name: string]: ((old: Old) => Old) | undefined }
/** The version in which a fact is written today. */
export function versionOf({ upcasts }: { upcasts: Upcasts }, type: string): number {
  let version = 1
  while (Object.hasOwn(upcasts, `${type}@${version}`)) version++
  return version
}
/** A fact as it would be told today. */
export function upcast(of: { upcasts: Upcasts }, type: string, version: number, data: Old): Old {
  const next = of.upcasts[`${type}@${version}`]
  return next ? upcast(of, type, version + 1, next(data)) : data
}
