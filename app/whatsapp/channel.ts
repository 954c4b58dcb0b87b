import { type Channel, type Recipient, TransientChannelError } from '../channels/channel.ts'
import type { Live, LiveSockets } from './live-sockets.ts'

/** Sends through the socket of this process. Recipients ignore a second message with the same id. */
export function whatsappChannel(sockets: LiveSockets): Channel {
  const live = ({ connectionId }: Pick<Recipient, 'connectionId'>): Live => {
    const found = sockets.get(connectionId)
    if (!found) throw new TransientChannelError('ERR_WAPP_NOT_INITIALIZED')
    return found
  }
  return {
    supportsIdempotentSend: true,
    async send(to, externalId, content, signal) {
      await live(to).send(to, externalId, content, signal)
      return null
    },
    react: async (to, externalId, emoji) => live(to).react(to, externalId, emoji),
    remove: async (to, externalId) => live(to).remove(to, externalId),
    edit: async (to, externalId, body) => live(to).edit(to, externalId, body),
    fetch: async (at, externalId) => live({ connectionId: at.id }).fetch(at, externalId),
    textOf: async (at, externalId) => live({ connectionId: at.id }).textOf(externalId),
    picture: async (at, to) => live(to).picture(at, to),
    isRegistered: async ({ id: connectionId }, number) => live({ connectionId }).isRegistered(number),
    async rejectCall(to, externalId) {
      const socket = live(to)
      const from = socket.callers.get(externalId)
      if (from) await socket.rejectCall(externalId, from)
    },
    read: async (to, externalIds) => live(to).read(to, externalIds),
    typing: async (to) => live(to).typing(to),
  }
}
