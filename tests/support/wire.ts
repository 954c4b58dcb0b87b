import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { stallMs } from './wait.ts'

export type Raw = { socket: Socket; heard: () => string; closed: Promise<void> }

/** A connection that sends the text unchanged. `all` collects the sockets, which are closed at the end. */
export async function openRaw(text: string, port: number, all: Socket[]): Promise<Raw> {
  const socket = connect(port, '127.0.0.1')
  all.push(socket)
  let heard = ''
  socket.setEncoding('utf8').on('data', (some) => (heard += some))
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  socket.write(text)
  return { socket, heard: () => heard, closed }
}
export const head = (line: string, ...more: string[]): string => `${[`${line} HTTP/1.1`, 'Host: 127.0.0.1', ...more].join('\r\n')}\r\n\r\n`
export const soon = (closed: Promise<void>): Promise<string> =>
  Promise.race([closed.then(() => 'closed'), sleep(stallMs, 'still open', { ref: false })])
