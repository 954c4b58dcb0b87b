import { type Channel, PermanentChannelError, type Recipient } from '../channels/channel.ts'
import type { Account } from './accounts.ts'
import { asAccount, type Deps, graphIdOf } from './calling.ts'
import { partsOf } from './cloud-content.ts'
import { cloudFile } from './files.ts'
import type { Until } from './graph.ts'
import { providerIdOf } from './message-ids.ts'
import { sendInParts } from './message-parts.ts'

/** Addresses by phone number if known, otherwise by the business-scoped user id. */
function recipient({ ids, number }: Recipient): object {
  const phone = ids.find(({ kind, id }) => kind === 'phone' && /^\d+$/.test(id))
  return phone ? { to: phone.id } : { recipient: ids.find(({ kind }) => kind === 'scoped')?.id ?? number }
}

/** The key by which message ids of this person are erased. */
const personOf = ({ ids, number }: Recipient) => ids.find(({ kind }) => kind === 'phone')?.id ?? ids[0]?.id ?? number

/** WhatsApp shows the typing indicator slightly longer than this. It is renewed before. */
const typingMs = 20_000
const mostTyping = 10_000
/** The WhatsApp Cloud API: a business number without a phone, paid per message. */
export function cloudChannel(deps: Deps): Channel {
  const post = ({ accountId, token, appSecret }: Account, json: object, until: Until = {}) =>
    deps.graph.call('POST', `${accountId}/messages`, { token, appSecret }, { json: { messaging_product: 'whatsapp', ...json }, ...until })
  /** When each contact's typing indicator ends. A message ends it earlier. */
  const typing = new Map<number, number>()
  const has = (to: Recipient) => ({ recipient_type: 'individual', ...recipient(to) })

  return {
    supportsIdempotentSend: false,
    webhooks: true,
    fetch: cloudFile(deps),

    send: (to, externalId, content, signal) =>
      asAccount(deps, to.connectionId, async (account) => {
        const { quotedExternalId } = content
        const quoted = quotedExternalId === null ? '' : await graphIdOf(deps, to.connectionId, quotedExternalId)
        typing.delete(to.contactId)
        const parts = await partsOf(deps, account, to.companyId, content, signal)
        return sendInParts(parts, { db: deps.db, connectionId: to.connectionId, externalId }, signal, async (part, i) => {
          const json = {
            ...has(to),
            ...part,
            ...(i === 0 && quoted !== '' && { context: { message_id: quoted } }),
            // receipts return this id, even if the answer of this call is lost
            biz_opaque_callback_data: i === 0 ? externalId : `${externalId}:${i}`,
          }
          const answer = await post(account, json, { signal, goesOn: i > 0 })
          const id = answer.messages?.[0]?.id
          return id ? deps.messageIds.hide(deps.db, account, id, personOf(to)) : null
        })
      }),

    react: (to, externalId, emoji) =>
      asAccount(deps, to.connectionId, async (account) => {
        const message_id = await graphIdOf(deps, to.connectionId, externalId)
        if (message_id !== '') await post(account, { ...has(to), type: 'reaction', reaction: { message_id, emoji } })
      }),
    /** The Cloud API can neither delete nor edit a message. */
    remove: async () => {
      throw new PermanentChannelError('ERR_DELETE_WAPP_MSG')
    },
    edit: async () => {
      throw new PermanentChannelError('ERR_SENDING_WAPP_MSG')
    },
    async typing(to, lastInbound) {
      const now = performance.now()
      if ((typing.get(to.contactId) ?? 0) > now) return
      if (typing.size > mostTyping) typing.clear()
      typing.set(to.contactId, now + typingMs)
      const last = await lastInbound() // the indicator is attached to the last message and marks it as read
      if (last === null) return
      const message_id = await providerIdOf(deps.db, to.connectionId, last)
      if (message_id === '') return
      const json = { status: 'read', message_id, typing_indicator: { type: 'text' } }
      await asAccount(deps, to.connectionId, (account) => post(account, json))
    },
    read: (to, externalIds) =>
      asAccount(deps, to.connectionId, async (account) => {
        const last = externalIds.at(-1) // marks all earlier messages as read too
        const message_id = last ? await providerIdOf(deps.db, to.connectionId, last) : ''
        if (message_id !== '') await post(account, { status: 'read', message_id })
      }),
  }
}
