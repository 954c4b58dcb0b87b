import { DEFAULT_CONNECTION_CONFIG, type SocketConfig } from '@whiskeysockets/baileys'
import { makeKeyedMutex } from '@whiskeysockets/baileys/lib/Utils/make-mutex.js'

const steps = makeKeyedMutex()

/**
 * What encrypts and opens, one step at a time with each address. The library below lets those of one address wait for each other, whosever
 * they are in this process, and takes what waited as if it belonged to the transaction of the one before, so that it would not be kept.
 */
export const makeSignal: SocketConfig['makeSignalRepository'] = (auth, logger, pnToLid) => {
  const real = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, pnToLid)
  const alone = <T>(jid: string, step: () => Promise<T>): Promise<T> => steps.mutex(real.jidToSignalProtocolAddress(jid), step)
  return {
    ...real,
    encryptMessage: (of) => alone(of.jid, () => real.encryptMessage(of)),
    decryptMessage: (of) => alone(of.jid, () => real.decryptMessage(of)),
    injectE2ESession: (of) => alone(of.jid, () => real.injectE2ESession(of)),
  }
}
