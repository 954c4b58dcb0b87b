import { AsyncLocalStorage } from 'node:async_hooks'
import { DEFAULT_CONNECTION_CONFIG, type SocketConfig } from '@whiskeysockets/baileys'
import { makeKeyedMutex } from '@whiskeysockets/baileys/lib/Utils/make-mutex.js'

const steps = makeKeyedMutex()

/**
 * What encrypts and opens, one step at a time with each address. The library below lets those of one address wait for each other, whosever
 * they are in this process, and takes what waited as if it belonged to the transaction of the one before, so that it would not be kept.
 */
export const makeSignal: SocketConfig['makeSignalRepository'] = (auth, logger, pnToLid) => {
  const { keys, opened } = oneByOne(auth.keys)
  const real = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ ...auth, keys }, logger, pnToLid)
  const alone = <T>(jid: string, step: () => Promise<T>): Promise<T> => steps.mutex(real.jidToSignalProtocolAddress(jid), step)
  return {
    ...real,
    encryptMessage: (of) => alone(of.jid, () => real.encryptMessage(of)),
    decryptMessage: (of) => alone(of.jid, () => (of.type === 'msg' ? opened(() => real.decryptMessage(of)) : real.decryptMessage(of))),
    injectE2ESession: (of) => alone(of.jid, () => real.injectE2ESession(of)),
  }
}

type Keys = Parameters<SocketConfig['makeSignalRepository']>[0]['keys']
/** What the library keeps of a device: its sessions, by their keys. */
type Stored = { _sessions: Record<string, { indexInfo: { used: number } }> }
/** Which session is tried, counted from the one that was used last, and those beside it. */
type Try = { nth: number; others: Stored['_sessions']; isLast: boolean }

/**
 * With a device there may be several sessions: a new one begins with the first message to it, while it still writes in the one before. The
 * library tries one after the other and keeps all as the tries left them, so that in one that did not fit nothing is read or written any
 * more. So it is shown one at a time, and the others stay as they were.
 */
function oneByOne(real: Keys): { keys: Keys; opened: (open: () => Promise<Uint8Array>) => Promise<Uint8Array> } {
  const trying = new AsyncLocalStorage<Try>()
  const each = <T>(of: Record<string, T>, change: (record: Stored, now: Try) => Stored): Record<string, T> => {
    const now = trying.getStore()
    if (!now) return of
    return Object.fromEntries(Object.entries(of).map(([id, one]) => [id, one && (change(one as never, now) as never)]))
  }
  const keys: Keys = {
    ...real,
    async get(type, ids) {
      const found = await real.get(type, ids)
      return type === 'session' ? each(found, only) : found
    },
    set: (data) => real.set(data.session ? { ...data, session: each(data.session, whole) } : data),
  }
  async function opened(open: () => Promise<Uint8Array>): Promise<Uint8Array> {
    for (let nth = 0; ; nth++) {
      const now: Try = { nth, others: {}, isLast: true }
      try {
        return await trying.run(now, open)
      } catch (error) {
        if (now.isLast || !(error instanceof Error && error.name === 'SessionError')) throw error
      }
    }
  }
  return { keys, opened }
}

function only(record: Stored, now: Try): Stored {
  const all = Object.entries(record._sessions).toSorted(([, a], [, b]) => b.indexInfo.used - a.indexInfo.used)
  const one = all.splice(now.nth, 1)
  now.others = Object.fromEntries(all)
  now.isLast = all.length <= now.nth
  return { ...record, _sessions: Object.fromEntries(one) }
}
const whole = (record: Stored, { others }: Try): Stored => ({ ...record, _sessions: { ...others, ...record._sessions } })
