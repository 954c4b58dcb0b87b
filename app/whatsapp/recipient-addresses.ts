import { isPnUser, jidEncode, jidNormalizedUser, proto, type WAMessageKey, type WASocket } from '@whiskeysockets/baileys'
import { type Identity, PermanentChannelError, type Recipient, TransientChannelError } from '#app/channels/channel.ts'
import { type ContactStore, resolveContact } from '#app/inbound/contact-resolver.ts'
import type { Account } from './account.ts'
import { idsOf } from './parse-inbound.ts'

/** Finds WhatsApp's addresses of recipients and of their messages. */
export function createRecipientAddresses(sock: WASocket, account: Pick<Account, 'kept'>, store: ContactStore) {
  /** The address of a contact by phone number. WhatsApp moved everybody to ids; a message to the number of such a contact is lost. */
  const known = new Map<string, string>()
  async function addressOf({ ids, group, connectionId, companyId }: Recipient): Promise<string> {
    const by = (kind: Identity['kind']) => ids.find((one) => one.kind === kind)?.id
    const refuseRecipient = (): never => {
      throw new PermanentChannelError('ERR_WAPP_INVALID_CONTACT') // an invalid address makes WhatsApp end the whole stream
    }
    if (group) return jidEncode(by('group') ?? refuseRecipient(), 'g.us')
    const lid = by('lid')
    if (lid) return jidEncode(lid, 'lid')
    const phone = by('phone') ?? refuseRecipient()
    const before = known.get(phone)
    if (before) return before
    const found = await lookUp(sock, phone)
    const both = [...ids, ...idsOf([found])]
    await resolveContact({ id: connectionId, companyId, channel: 'whatsapp' }, { ids: both, name: '', group: false }, false, store) // their reply may contain only that id
    known.set(phone, found)
    return found
  }
  /** WhatsApp's key of a message. In a group it includes the author. */
  async function keyOf(to: Recipient, id: string): Promise<{ jid: string; key: WAMessageKey; message: proto.IMessage }> {
    const jid = await addressOf(to)
    const kept = await account.kept(id)
    const key = { remoteJid: jid, id, fromMe: kept?.fromMe ?? false, ...(kept?.participant && { participant: kept.participant }) }
    return { jid, key, message: kept ? proto.Message.decode(kept.message) : { conversation: '' } }
  }
  return { addressOf, keyOf }
}

async function lookUp(sock: WASocket, phone: string): Promise<string> {
  const { lidMapping } = sock.signalRepository
  const mapped = await lidMapping.getLIDForPN(jidEncode(phone, 's.whatsapp.net'))
  if (mapped) return jidNormalizedUser(mapped)
  const results = await sock.onWhatsApp(phone)
  if (!results) throw new TransientChannelError('ERR_CHANNEL_AWAY') // WhatsApp was silent; an unknown number has an empty result
  const [found] = results
  if (!found?.exists) throw new PermanentChannelError('ERR_WAPP_INVALID_CONTACT')
  const jid = jidNormalizedUser(found.jid)
  return jidNormalizedUser((isPnUser(jid) && (await lidMapping.getLIDForPN(jid))) || jid)
}
