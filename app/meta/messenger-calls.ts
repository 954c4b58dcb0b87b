import type { Outgoing, Recipient } from '#app/channels/channel.ts'
import { type Account, senderIdOf } from './accounts.ts'
import { type Deps, retryUnknownOutcome } from './calling.ts'
import { fileOf } from './files.ts'
import { GraphApiError, type Until } from './graph.ts'
import { attachmentKind } from './message-parts.ts'
import { products } from './products.ts'

/** The page-scoped id by which Messenger and Instagram know a person. */
export const idOf = ({ ids, number }: Recipient): string => ids.find(({ kind }) => kind === 'scoped')?.id ?? number

/** Calls of the Graph API that send to one person. */
export function createMessengerCalls(deps: Deps) {
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
  return {
    post,
    /** Sends a message, and takes control of the conversation if an agent's answer needs it. */
    sendMessage: (account: Account, to: Recipient, json: object, byPerson: boolean, until: Until): Promise<string | null> =>
      takingOver(account, to, byPerson, () => answer(account, to, json, byPerson, until)),
  }
}

/** Uploads a file and returns it as a part of a message. */
export async function uploadAttachment(
  deps: Deps,
  account: Account,
  companyId: number,
  file: NonNullable<Outgoing['media']>,
  signal: AbortSignal,
): Promise<object> {
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
