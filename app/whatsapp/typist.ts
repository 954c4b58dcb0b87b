import type { WASocket } from '@whiskeysockets/baileys'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'

/** Phones show a typing indicator for longer than this without a refresh. */
const typingMs = 7000
/** Minimum interval between refreshes, because more look automated. */
const againMs = 3000
const onlineMs = 30_000

/**
 * Shows a contact that an agent is typing. WhatsApp forwards this only for accounts that are online, and the phone of an online account does
 * not notify its user. So the account is online only while an agent types and shortly afterwards.
 */
export function typistOn(sock: WASocket) {
  const typingTo = new Map<string, { at: number; ends: NodeJS.Timeout }>()
  let online: NodeJS.Timeout | undefined
  const sendPresence = (...what: Parameters<WASocket['sendPresenceUpdate']>) =>
    ignoreErrors(sock.sendPresenceUpdate(...what), 'the socket may have closed meanwhile')

  async function goOnline(): Promise<void> {
    const was = online
    clearTimeout(online)
    online = setTimeout(() => {
      online = undefined
      void sendPresence('unavailable')
    }, onlineMs).unref()
    if (!was) await sock.sendPresenceUpdate('available')
  }
  return {
    async types(jid: string): Promise<void> {
      const before = typingTo.get(jid)
      clearTimeout(before?.ends)
      const now = performance.now()
      const due = !before || now - before.at >= againMs
      const ends = setTimeout(() => {
        typingTo.delete(jid)
        void sendPresence('paused', jid)
      }, typingMs).unref()
      typingTo.set(jid, { at: due ? now : before.at, ends })
      if (!due) return
      await goOnline()
      if (!before) await sock.presenceSubscribe(jid)
      await sock.sendPresenceUpdate('composing', jid)
    },
  }
}
