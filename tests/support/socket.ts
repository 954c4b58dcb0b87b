import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { stallMs } from './wait.ts'

export type Frame = { channel: string; action: string } & Record<string, any>
export type TestSocket = Awaited<ReturnType<typeof openLine>>

/**
 * Opens the live socket as a browser does, and keeps every frame. Resolves when the server has sent its first
 * frame.
 */
export async function openLine(url: string, token: string | null, protocols = ['guiche.v1', `bearer.${token}`]) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/live`, protocols)
  const frames: Frame[] = []
  let fences = 0
  let beats = 0 // apart from the other frames, because a slow test gets some
  const standing = new Map<string, () => void>()
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)))
  socket.on('message', (data) => {
    const frame: Frame = JSON.parse((data as Buffer).toString())
    const passed = frame.action === 'unknown' && standing.get(frame.emit)
    if (passed) passed()
    else if (frame.action === 'beat') beats += 1
    else frames.push(frame)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('message', () => resolve())
    socket.once('error', reject)
    socket.once('unexpected-response', (_, response) => reject(new Refused(response.statusCode ?? 0)))
  })
  const emit = (name: string, data?: unknown) => socket.send(JSON.stringify({ emit: name, data }))
  async function heard(fits: (frame: Frame) => boolean): Promise<Frame> {
    for (const end = Date.now() + stallMs; ; await sleep(10)) {
      const found = frames.find(fits)
      if (found) return found
      if (Date.now() > end) throw new Error(`no such frame among ${frames.length}: ${JSON.stringify(frames).slice(0, 2000)}`)
    }
  }
  return {
    ...{ socket, frames, closed, emit },
    say: (text: string | Buffer) => socket.send(text),
    of: (topic: string) => frames.filter(({ channel }) => channel.endsWith(`-${topic}`)),
    /** The first frame that fits, now or a little later. */
    heard,
    /**
     * Waits until the server has processed every earlier message of this socket and its earlier frames have
     * arrived.
     */
    fence: () =>
      new Promise<void>((passed) => {
        const mark = `fence${fences++}`
        standing.set(mark, passed)
        emit(mark)
      }),
    countBeats: () => beats,
    close: () => socket.close(),
  }
}

/** The server refused the connection before the upgrade. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number) {
    super(`refused with ${status}`)
    this.status = status
  }
}
