import type { WASocket } from '@whiskeysockets/baileys'

/** A phone shows it that long by itself; who types on is told of again before. */
const typingMs = 7000
/** Not more often, whatever a browser says: too much of it looks like a machine. */
const againMs = 3000
const onlineMs = 30_000

/**
 * Shows a contact that somebody writes. Only who is online is told by WhatsApp what the other one types, and while an account is online
 * its own phone does not ring: so it is, for as long as somebody writes and a moment on.
 */
export function typistOn(sock: WASocket) {
  const writing = new Map<string, { at: number; ends: NodeJS.Timeout }>()
  let online: NodeJS.Timeout | undefined
  const say = (...what: Parameters<WASocket['sendPresenceUpdate']>) => sock.sendPresenceUpdate(...what).catch(() => undefined) // the line went meanwhile

  async function appear(): Promise<void> {
    const was = online
    clearTimeout(online)
    online = setTimeout(() => {
      online = undefined
      void say('unavailable')
    }, onlineMs).unref()
    if (!was) await sock.sendPresenceUpdate('available')
  }
  return {
    async types(jid: string): Promise<void> {
      const before = writing.get(jid)
      clearTimeout(before?.ends)
      const now = performance.now()
      const due = !before || now - before.at >= againMs
      const ends = setTimeout(() => {
        writing.delete(jid)
        void say('paused', jid)
      }, typingMs).unref()
      writing.set(jid, { at: due ? now : before.at, ends })
      if (!due) return
      await appear()
      if (!before) await sock.presenceSubscribe(jid)
      await sock.sendPresenceUpdate('composing', jid)
    },
  }
}
