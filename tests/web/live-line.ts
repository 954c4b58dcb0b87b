import type { Frame } from '#domain/live/contract.ts'
import type { LiveConnection } from '#web/socket.ts'

/** A connection of a list to live updates; `send` lets frames arrive. The newest subscriber gets them. */
export function createLiveLine() {
  let listener: (frames: Frame[]) => void = () => {}
  const line: LiveConnection = {
    subscribe: (_, subscriber) => {
      listener = subscriber
      return () => {}
    },
    join: () => () => {},
    onReconnect: () => () => {},
  }
  return { line, send: (frames: Frame[]) => listener(frames) }
}
