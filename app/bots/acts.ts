import type { Output } from '#domain/flow/step.ts'
import type { AutomationAction, BotMessage, Effect } from '#domain/ticket/automation.ts'
import type { Media } from '#domain/ticket/events.ts'
import { idFrom } from '../event-store/event-codec.ts'
import type { NextId } from '../ids.ts'
import { externalIdFrom } from '../message/external-id.ts'
import { apartMs } from '../outbound/outbox.ts'
import { kindOf } from '../storage/media.ts'
import { fillPlaceholders } from '../ticket/system-messages.ts'
import type { BotContext } from './setup.ts'

/** `name`: the ids of its texts derive from it. */
export type BotConversation = BotContext & { queueId: number | null; name: string }

/** Creates messages with the placeholders filled in. */
export function createMessageBuilder(conversation: BotConversation, nextMessageId: NextId) {
  let n = 0
  const ids = async () => {
    const clientId = idFrom(`${conversation.name}/${n++}`)
    return { messageId: await nextMessageId(), clientId, externalId: externalIdFrom(clientId), vCard: null }
  }
  return {
    async text(text: string, queueId: number | null, more?: Record<string, string>): Promise<Effect[]> {
      if (text.trim() === '') return []
      const body = fillPlaceholders(text, { ...conversation.contact, queue: conversation.queueName(queueId) }, conversation.settings, more)
      const message: BotMessage = { ...(await ids()), kind: 'chat', body, media: null }
      return [{ does: 'say', message }]
    },
    async file(media: Media, afterMs = 0): Promise<Effect[]> {
      const message: BotMessage = { ...(await ids()), kind: kindOf(media.mime), body: '', media, ...(afterMs > 0 && { afterMs }) }
      return [{ does: 'say', message }]
    },
  }
}

/** Turns the flow's outputs into actions with their messages: one action per run of the same rule and reason. */
export async function toActions(
  outputs: Output[],
  conversation: BotConversation,
  messageBuilder: ReturnType<typeof createMessageBuilder>,
): Promise<AutomationAction[]> {
  const acts: AutomationAction[] = []
  let { queueId } = conversation
  let greeted = false
  const { farewell, greetingFile } = conversation

  async function effects(output: Output): Promise<Effect[]> {
    switch (output.does) {
      case 'say':
        return messageBuilder.text(output.text, queueId)
      case 'wait':
        return [...(await messageBuilder.text(output.text, queueId)), { does: 'stand', node: output.node, menus: output.menus }]
      case 'setQueue':
        queueId = output.queueId
        return [{ does: 'queue', queueId }]
      case 'handOver':
        return [{ does: 'end', userId: output.userId }]
      case 'integration':
        return [{ does: 'end', userId: null }] // agents answer, because there are no queues yet
      case 'close':
        return [...(await messageBuilder.text(output.farewell ? (farewell ?? '') : '', queueId)), { does: 'close' }]
      case 'files':
        return sendList(await conversation.filesOf(output.fileListId))
      case 'chose':
      case 'pause':
        return []
    }
  }

  /**
   * Sends the list's text and its files in order, one second apart. A deleted list sends nothing (A-BOT-03,
   * A-BOT-07).
   */
  async function sendList(list: Awaited<ReturnType<BotConversation['filesOf']>>): Promise<Effect[]> {
    if (!list) return []
    const messages = await messageBuilder.text(list.message, queueId)
    for (const { media } of list.files) messages.push(...(await messageBuilder.file(media, messages.length * apartMs)))
    return messages
  }

  for (const output of outputs) {
    const { rule, reason, does } = output
    const last = acts.at(-1)
    const same = last?.rule === rule && last.reason === reason && does !== 'chose'
    const act: AutomationAction = same
      ? last
      : { rule, reason, effects: [], ...(does === 'chose' && { choice: { number: output.number, name: output.name } }) }
    const greets = (reason === 'queueMenu' || reason === 'noQueue') && (does === 'say' || does === 'wait' || does === 'handOver')
    if (greets && greetingFile && !greeted) act.effects.push(...(await messageBuilder.file(greetingFile))) // A-BOT-11
    greeted ||= greets
    act.effects.push(...(await effects(output)))
    if (!same) acts.push(act)
  }
  return acts
}
