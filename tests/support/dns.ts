import { createSocket } from 'node:dgram'
import { type LookupAddress, type LookupAllOptions, Resolver } from 'node:dns'

const types: Record<number, 4 | 6> = { 1: 4, 28: 6 }
const bytesOf = (address: string): Buffer =>
  address.includes(':')
    ? Buffer.from(
        address
          .replace('::', `:${'0:'.repeat(9 - address.split(':').length)}`)
          .split(':')
          .map((part) => part.padStart(4, '0'))
          .join('')
          .slice(-32),
        'hex',
      )
    : Buffer.from(address.split('.').map(Number))

/** A name server on this machine whose answers a test sets, and a resolver that uses it. */
export async function startDns(answers: (name: string, family: 4 | 6, asked: number) => string[]) {
  const socket = createSocket('udp4')
  const asked = new Map<string, number>()
  socket.on('message', (query, from) => {
    const labels: string[] = []
    let at = 12
    for (let size = query[at]!; size > 0; size = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + size))
      at += size + 1
    }
    const family = types[query.readUInt16BE(at + 1)] ?? 4
    const name = labels.join('.')
    const n = asked.get(name) ?? 0
    asked.set(name, n + 1)
    const found = answers(name, family, n)
    const records = found.map((address) => {
      const data = bytesOf(address)
      const head = Buffer.from([0xc0, 0x0c, 0, family === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length])
      return Buffer.concat([head, data])
    })
    const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0])
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...records]), from.port, from.address)
  })
  await new Promise<void>((ready) => socket.bind(0, '127.0.0.1', ready))
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    /** Like `dns.lookup` with all addresses, but through this server. */
    resolve(name: string, _: LookupAllOptions, done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void): void {
      resolver.resolve4(name, (none, four = []) =>
        resolver.resolve6(name, (neither, six = []) => {
          const found = [...four.map((address) => ({ address, family: 4 })), ...six.map((address) => ({ address, family: 6 }))]
          done(found.length > 0 ? null : (none ?? neither), found)
        }),
      )
    },
    asked,
    stop: () => new Promise<void>((over) => socket.close(() => over())),
  }
}
