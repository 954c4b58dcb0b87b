import { AsyncLocalStorage } from 'node:async_hooks'
import { DEFAULT_CONNECTION_CONFIG, type SocketConfig } from '@whiskeysockets/baileys'
import { makeKeyedMutex } from '@whiskeysockets/baileys/lib/Utils/make-mutex.js'

const stepMutex = makeKeyedMutex()

/**
 * Encrypts and decrypts, one step at a time per address. The library's own lock is shared by all accounts of this process. It also runs a
 * waiting step inside the transaction of the step before, whose changes would then be lost.
 */
export const makeSignal: SocketConfig['makeSignalRepository'] = (auth, logger, pnToLid) => {
  const { keys, opened } = oneSessionAtATime(auth.keys)
  const real = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ ...auth, keys }, logger, pnToLid)
  const inOrder = <T>(jid: string, step: () => Promise<T>): Promise<T> => stepMutex.mutex(real.jidToSignalProtocolAddress(jid), step)
  return {
    ...real,
    encryptMessage: (of) => inOrder(of.jid, () => real.encryptMessage(of)),
    decryptMessage: (of) => inOrder(of.jid, () => (of.type === 'msg' ? opened(() => real.decryptMessage(of)) : real.decryptMessage(of))),
    injectE2ESession: (of) => inOrder(of.jid, () => real.injectE2ESession(of)),
  }
}

type Keys = Parameters<SocketConfig['makeSignalRepository']>[0]['keys']
/** The library's record of a device: its sessions by key. */
type Stored = { _sessions: Record<string, { indexInfo: { used: number } }> }
/** The session to try, counted from the most recently used one, and the others. */
type Try = { nth: number; others: Stored['_sessions']; isLast: boolean }

/**
 * A device can have several sessions: a new one starts with the first message to it, while the device still uses the old one. The library
 * tries each and stores all of them as the tries left them, which breaks the sessions that did not fit. So it gets one session at a time, and
 * the others stay unchanged.
 */
function oneSessionAtATime(real: Keys): { keys: Keys; opened: (open: () => Promise<Uint8Array>) => Promise<Uint8Array> } {
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
      return type === 'session' ? each(found, withOneSession) : found
    },
    set: (data) => real.set(data.session ? { ...data, session: each(data.session, withAllSessions) } : data),
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

function withOneSession(record: Stored, now: Try): Stored {
  const all = Object.entries(record._sessions).toSorted(([, a], [, b]) => b.indexInfo.used - a.indexInfo.used)
  const one = all.splice(now.nth, 1)
  now.others = Object.fromEntries(all)
  now.isLast = all.length <= now.nth
  return { ...record, _sessions: Object.fromEntries(one) }
}
const withAllSessions = (record: Stored, { others }: Try): Stored => ({ ...record, _sessions: { ...others, ...record._sessions } })
