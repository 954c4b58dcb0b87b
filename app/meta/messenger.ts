import { cards, linesOf } from '#domain/vcard/rules.ts'
import { type Channel, type Outgoing, PermanentChannelError } from '../channels/channel.ts'
import { downloadMedia } from '../inbound/media-download.ts'
import { leaves } from '../inbound/sent-messages.ts'
import { fileLimitOf, turns } from '../outbound/limits.ts'
import type { Account } from './accounts.ts'
import { asAccount, type Deps, graphIdOf } from './calling.ts'
import { messengerFile, open } from './files.ts'
import { buttonTemplate, quickReplies } from './interactive.ts'
import { postpone, sendInParts, splitText } from './message-parts.ts'
import { createMessengerCalls, idOf, uploadAttachment } from './messenger-calls.ts'
import { products } from './products.ts'

/** Messenger and Instagram: people are known by a page-scoped id. */
export function messengerChannel(deps: Deps): Channel {
  const fileTurn = turns(fileLimitOf('graph'))
  const { post, sendMessage } = createMessengerCalls(deps)
  return {
    supportsIdempotentSend: false,
    webhooks: true,
    fetch: messengerFile(deps),

    nameOf: (from, { id }) =>
      asAccount(deps, from.id, async ({ product, token, appSecret }) => {
        const found = await deps.graph.call(
          'GET',
          encodeURIComponent(id),
          { token, appSecret },
          { query: { fields: products[product].nameFields } },
        )
        return String(found.name ?? found.username ?? [found.first_name, found.last_name].filter(Boolean).join(' '))
      }),
    picture: (at, to) =>
      asAccount(deps, at.id, async ({ token, appSecret }) => {
        const found = await deps.graph.call('GET', encodeURIComponent(idOf(to)), { token, appSecret }, { query: { fields: 'profile_pic' } })
        return found.profile_pic ? downloadMedia(deps, at.companyId, open(deps, String(found.profile_pic))) : null
      }),
    send: (to, externalId, content, signal) =>
      asAccount(deps, to.connectionId, async (account) => {
        const { media, quotedExternalId, byPerson = false } = content
        const mid = quotedExternalId === null ? '' : await graphIdOf(deps, to.connectionId, quotedExternalId)
        const parts = await partsOf({ deps, account, companyId: to.companyId, externalId }, content, signal)
        if (media) await fileTurn(to.connectionId, signal).catch(postpone)
        if (!products[account.product].receiptsNameMessages) await leaves(deps.db, to.connectionId, externalId).catch(postpone)
        return sendInParts(parts, { db: deps.db, connectionId: to.connectionId, externalId }, signal, (part, i) => {
          const json = { message: { ...part, metadata: externalId }, ...(i === 0 && mid !== '' && { reply_to: { mid } }) }
          return sendMessage(account, to, json, byPerson, { signal, goesOn: i > 0 })
        })
      }),

    react: (to, externalId, emoji) =>
      asAccount(deps, to.connectionId, async (account) => {
        const message_id = await graphIdOf(deps, to.connectionId, externalId)
        if (message_id === '') return
        await post(account, to, { sender_action: emoji ? 'react' : 'unreact', payload: { message_id, ...(emoji && { reaction: emoji }) } })
      }),
    /** Messenger can neither delete nor edit a message. */
    remove: async () => {
      throw new PermanentChannelError('ERR_DELETE_WAPP_MSG')
    },
    edit: async () => {
      throw new PermanentChannelError('ERR_SENDING_WAPP_MSG')
    },
    async typing(to) {
      await asAccount(deps, to.connectionId, (account) => post(account, to, { sender_action: 'typing_on' }))
    },
    read: (to, externalIds) =>
      asAccount(deps, to.connectionId, async (account) => {
        if (externalIds.length > 0) await post(account, to, { sender_action: 'mark_seen' })
      }),
  }
}

/** The parts of a message in the order in which they are sent. A file is uploaded first. */
async function partsOf(
  { deps, account, companyId, externalId }: { deps: Deps; account: Account; companyId: number; externalId: string },
  { body, media, vCard, interactive }: Outgoing,
  signal: AbortSignal,
): Promise<object[]> {
  const words = vCard
    ? cards(vCard)
        .map((card) => linesOf(card).join('\n'))
        .join('\n\n')
    : media && body === media.name
      ? ''
      : body
  const parts: object[] = media ? [await uploadAttachment(deps, account, companyId, media, signal)] : []
  const button = interactive && buttonTemplate(interactive, account.product)
  if (button) parts.push(button)
  else for (const text of splitText(words, account.product)) parts.push({ text })
  // quick replies belong to the last part
  if (interactive && !button) parts.push({ ...parts.pop(), ...quickReplies(interactive, externalId) })
  return parts
}
