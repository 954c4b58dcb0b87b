import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type Mailbox = Awaited<ReturnType<typeof openMailbox>>

/** A mail server on this machine that stores its mails. `refuses`: its answer to every recipient instead. */
export async function openMailbox(login: { user: string; pass: string } | null = null) {
  const mails: { to: string[]; from: string; source: string }[] = []
  const says: { refuses: string | null; refused: number } = { refuses: null, refused: 0 }
  const server = new SMTPServer({
    authOptional: login === null,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS', ...(login ? [] : ['AUTH' as const])],
    onAuth: ({ username, password }, _, done) =>
      username === login?.user && password === login?.pass ? done(null, { user: username }) : done(new Error('535 wrong password')),
    onRcptTo(_, __, done) {
      if (!says.refuses) return done()
      says.refused += 1
      return done(Object.assign(new Error(says.refuses), { responseCode: 550 }))
    },
    onData(stream, { envelope }, done) {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      void text(stream).then((source) => {
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), source })
        done()
      })
    },
  })
  server.on('error', () => undefined) // a client that disconnects causes no test failure
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  server.server.unref()
  return {
    ...{ mails, says, port: (server.server.address() as AddressInfo).port },
    close: () => new Promise<void>((closed) => server.close(closed)),
  }
}
