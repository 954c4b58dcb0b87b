import type { Server } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import type { ErrorCode } from '#domain/errors.ts'
import { refusalText } from './error-handler.ts'

/** Limits of anonymous connections, per address and in total. An office may share one address. */
const anonymousLimits = { address: 256, all: 4096 }
const connectionsInAll = 20_000

export type Connections = { markSignedIn: (socket: Socket) => void }

/**
 * At the limit, the oldest anonymous connection is closed for the next one. A signed-in connection is known
 * from its first request on and is never closed this way.
 */
export function limitConnections(server: Server, isProxy: (address: string) => boolean, room = anonymousLimits): Connections {
  const anonymous = new Map<Socket, string>() // in order of arrival
  const socketsByAddress = new Map<string, Set<Socket>>()
  server.maxConnections = connectionsInAll

  function removeAnonymous(socket: Socket): void {
    const address = anonymous.get(socket)
    if (address === undefined) return
    anonymous.delete(socket)
    const others = socketsByAddress.get(address)
    others?.delete(socket)
    if (others?.size === 0) socketsByAddress.delete(address)
  }
  server.on('connection', (socket: Socket) => {
    const address = network(socket.remoteAddress ?? '')
    const own = socketsByAddress.get(address) ?? new Set()
    socketsByAddress.set(address, own.add(socket))
    anonymous.set(socket, address)
    socket.once('close', () => removeAnonymous(socket))
    if (own.size > room.address && !isProxy(socket.remoteAddress ?? '')) own.values().next().value?.destroy()
    if (anonymous.size > room.all) anonymous.keys().next().value?.destroy()
  })
  return { markSignedIn: removeAnonymous }
}

/** An owner of one IPv6 address usually has the whole /64 network, so that is the unit. */
export function network(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const left = head.split(':').filter((part) => part !== '')
  const right = tail?.split(':').filter((part) => part !== '') ?? []
  const whole = [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${whole
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')}::/64`
}

const phrases = {
  400: 'Bad Request',
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
}
/** Answers on the raw socket, where no reply exists, and closes it. */
export function closeWithError(socket: Socket, status: keyof typeof phrases, error: ErrorCode, accepts?: string, own?: string): void {
  if (!socket.writable) return void socket.destroy()
  const body = JSON.stringify({ error, message: refusalText(error, accepts, own) })
  socket.end(
    `HTTP/1.1 ${status} ${phrases[status]}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}
