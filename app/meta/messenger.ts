import { cards, linesOf } from '#domain/vcard/rules.ts'
import { type Channel, type Outgoing, PermanentChannelError, type Recipient } from '../channels/channel.ts'
import { downloadMedia } from '../inbound/media-download.ts'
import { leaves } from '../inbound/sent-messages.ts'
import { fileLimitOf, turns } from '../outbound/limits.ts'
import { type Account, senderIdOf } from './accounts.ts'
import { asAccount, type Deps, graphIdOf, retryUnknownOutcome } from './calling.ts'
import { fileOf, messengerFile, open } from './files.ts'
import { GraphApiError, type Until } from './graph.ts'
import { buttonTemplate, quickReplies } from './interactive.ts'
import { attachmentKind, postpone, sendInParts, splitText } from './message-parts.ts'
import { products } from './products.ts'

/** Messenger and Instagram: people are known by a page-scoped id. */
export function messengerChannel(deps: Deps): Channel {
  const fileTurn = turns(fileLimitOf('graph'))
  const idOf = ({ ids, number }: Recipient): string => ids.find(({ kind }) => kind === 'scoped')?.id ?? number
  const post = ({ token, appSecret, ...account }: Account, to: Recipient, json: object, until: Until = {}) =>
    deps.graph.call(
      'POST',
      `${senderIdOf(account)}/messages`,
      { token, appSecret },
      { json: { recipient: { id: idOf(to) }, ...json }, ...until },
    )

  /** Any sender may answer within one day. After that only an agent may answer, for seven days. */
  async function answer(account: Account, to: Recipient, json: object, byPerson: boolean, until: Until): Promise<string | null> {
    const sent = await post(account, to, { messaging_type: 'RESPONSE', ...json }, until).catch((error: unknown) => {
      if (!(error instanceof GraphApiError && error.code === 'ERR_WINDOW_CLOSED' && byPerson)) throw error
      return post(account, to, { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT', ...json }, until).catch((second: unknown) => {
        // the closed window is more helpful than the missing permission
        throw second instanceof GraphApiError && second.outcome === 'never' ? error : second
      })
    })
    return sent.message_id ?? null
  }
  /**
   * If another app of the page controls the conversation, an agent's answer takes control. Automatic answers
   * do not.
   */
  async function takingOver(account: Account, to: Recipient, byPerson: boolean, act: () => Promise<string | null>): Promise<string | null> {
    return act().catch(async (error: unknown) => {
      if (!(error instanceof GraphApiError && error.code === 'ERR_CHANNEL_ELSEWHERE' && byPerson)) throw error
      const { token, appSecret, ...one } = account
      const json = { recipient: { id: idOf(to) } }
      await deps.graph.call('POST', `${senderIdOf(one)}/take_thread_control`, { token, appSecret }, { json }).catch((second: unknown) => {
        throw second instanceof GraphApiError && second.outcome === 'never' ? error : second
      })
      return act()
    })
  }
  async function upload(account: Account, companyId: number, file: NonNullable<Outgoing['media']>, signal: AbortSignal): Promise<object> {
    const type = attachmentKind(file)
    const form = new FormData()
    form.set('message', JSON.stringify({ attachment: { type, payload: { is_reusable: true } } }))
    form.set('filedata', await fileOf(deps, companyId, file))
    const { product, token, appSecret } = account
    const query = { platform: products[product].platform }
    const asked = deps.graph.call('POST', `${senderIdOf(account)}/message_attachments`, { token, appSecret }, { query, form, signal })
    const { attachment_id } = await retryUnknownOutcome(asked)
    return { attachment: { type, payload: { attachment_id: String(attachment_id) } } }
  }

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
    send: (to, externalId, { body, media, vCard, interactive, quotedExternalId, byPerson = false }, signal) =>
      asAccount(deps, to.connectionId, async (account) => {
        const mid = quotedExternalId === null ? '' : await graphIdOf(deps, to.connectionId, quotedExternalId)
        const words = vCard
          ? cards(vCard)
              .map((card) => linesOf(card).join('\n'))
              .join('\n\n')
          : media && body === media.name
            ? ''
            : body
        const parts: object[] = media ? [await upload(account, to.companyId, media, signal)] : []
        const button = interactive && buttonTemplate(interactive, account.product)
        if (button) parts.push(button)
        else for (const text of splitText(words, account.product)) parts.push({ text })
        // quick replies belong to the last part
        if (interactive && !button) parts.push({ ...parts.pop(), ...quickReplies(interactive, externalId) })
        if (media) await fileTurn(to.connectionId, signal).catch(postpone)
        if (!products[account.product].receiptsNameMessages) await leaves(deps.db, to.connectionId, externalId).catch(postpone)
        return sendInParts(parts, { db: deps.db, connectionId: to.connectionId, externalId }, signal, (part, i) => {
          const json = { message: { ...part, metadata: externalId }, ...(i === 0 && mid !== '' && { reply_to: { mid } }) }
          return takingOver(account, to, byPerson, () => answer(account, to, json, byPerson, { signal, goesOn: i > 0 }))
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
