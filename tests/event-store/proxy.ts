import { connect, createServer, type Socket } from 'node:net'

export type Proxy = Awaited<ReturnType<typeof proxyTo>>

/** A proxy between a client and its server, which breaks connections at the worst moment. */
export async function proxyTo(host: string, port: number) {
  const lines = new Set<{ client: Socket; server: Socket }>()
  let trap: { said: string; spring: () => void } | null = null
  let open = true
  const listener = createServer((client) => {
    if (!open) return client.destroy()
    const line = { client, server: connect(port, host) }
    lines.add(line)
    let caught: (() => void) | null = null
    client.on('data', (bytes) => {
      if (trap && bytes.includes(trap.said)) {
        caught = trap.spring
        trap = null
      }
      line.server.write(bytes)
    })
    line.server.on('data', (bytes) => {
      if (!caught) return void client.write(bytes)
      cut(line)
      caught()
      caught = null
    })
    for (const socket of [client, line.server]) {
      socket.on('error', () => cut(line))
      socket.on('close', () => cut(line))
    }
    return client
  })
  function cut(line: { client: Socket; server: Socket }) {
    lines.delete(line)
    line.client.destroy()
    line.server.destroy()
  }
  const down = () => {
    open = false
    lines.forEach(cut)
  }
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    port: (listener.address() as { port: number }).port,
    /** The server receives the request that contains `said`, but its answer never arrives. */
    loseAnswerTo(said: string, spring: () => void = () => {}) {
      trap = { said, spring }
    },
    /** The ports by which the server knows its clients. */
    ports: () => [...lines].map(({ server }) => server.localPort ?? 0),
    cutAll: () => lines.forEach(cut),
    down,
    up() {
      open = true
    },
    async close() {
      down()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

/** A server that accepts every connection and never answers. */
export async function silentServer() {
  const sockets = new Set<Socket>()
  const listener = createServer((socket) => sockets.add(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    port: (listener.address() as { port: number }).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
