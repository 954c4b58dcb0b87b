import { createHash, hkdfSync } from 'node:crypto'
import { aesDecryptGCM, jidNormalizedUser, proto } from '@whiskeysockets/baileys'
import type { InboundEvent } from '../channels/channel.ts'
import { ofKind } from '../inbound/unknown-kinds.ts'
import type { Account } from './account.ts'
import type { StoredMessage } from './account-journal.ts'
import { type About, addressOf, answerTo, unsupportedMessage } from './parse-inbound.ts'
import { contentIn, openedIn } from './wrappers.ts'

/**
 * Content that is encrypted with the secret of its target message. The key depends on the use, the author and the target's author, as in
 * WhatsApp Web. Votes and event responses also authenticate the target's id and the author.
 */
type Use = 'Poll Vote' | 'Event Response' | 'Enc Reaction' | 'Enc Comment' | 'Message Edit' | 'Event Edit' | 'Poll Edit' | 'Poll Add Option'
type Box = { encPayload?: Uint8Array | null; encIv?: Uint8Array | null }
/** `ours`: the addresses of the account. `addressesOf`: all addresses of a person. */
export type Parties = {
  ours: string[]
  kept: Account['kept']
  addressesOf: (jid: string) => Promise<string[]>
  /** Counts a message that cannot be decrypted and is not displayed. */
  countUnopened: (kind: string) => void
}

const bound: Use[] = ['Poll Vote', 'Event Response']
const edits: Use[] = ['Message Edit', 'Event Edit', 'Poll Edit', 'Poll Add Option']
const { Type } = proto.Message.ProtocolMessage
const { EventResponseType } = proto.Message.EventResponseMessage

/** Decrypts such a message. Returns its content, or an inbound event, or null if it is not readable. Undefined: it is not encrypted. */
export async function unsealedIn(
  message: proto.IMessage,
  about: About,
  parties: Parties,
): Promise<proto.IMessage | InboundEvent | null | undefined> {
  const content = contentIn(message)
  const { pollUpdateMessage: cast, encReactionMessage: reaction, encCommentMessage: comment } = content
  const { encEventResponseMessage: response, secretEncryptedMessage: edit } = content
  const unread = (kind: string): InboundEvent => ({ ...unsupportedMessage(about), about: ofKind(kind) })
  const unshown = (kind: string): null => {
    parties.countUnopened(kind)
    return null
  }
  if (cast?.vote) {
    const [poll, plain] = await opened(cast.vote, ['Poll Vote'], cast.pollCreationMessageKey, about, parties)
    return poll && plain ? answerTo(poll.id, chosenIn(poll, plain), about) : unshown('pollUpdateMessage')
  }
  if (reaction) {
    const [target, plain] = await opened(reaction, ['Enc Reaction'], reaction.targetMessageKey, about, parties)
    const { text } = plain ? proto.Message.ReactionMessage.decode(plain) : {}
    return target && plain ? { reactionMessage: { key: { id: target.id }, text: text ?? '' } } : unshown('encReactionMessage')
  }
  if (response) {
    const [event, plain] = await opened(response, ['Event Response'], response.eventCreationMessageKey, about, parties)
    return event && plain ? answerTo(event.id, [], about, answerIn(plain)) : unread('encEventResponseMessage')
  }
  if (comment) {
    const [target, plain] = await opened(comment, ['Enc Comment'], comment.targetMessageKey, about, parties)
    return target && plain
      ? { commentMessage: { message: proto.Message.decode(plain), targetMessageKey: { id: target.id } } }
      : unread('encCommentMessage')
  }
  if (!edit) return undefined
  const [target, plain] = await opened(edit, edits, edit.targetMessageKey, about, parties)
  if (!target || !plain) return unread('secretEncryptedMessage')
  const inner = contentIn(proto.Message.decode(plain))
  const editedMessage = inner.protocolMessage?.editedMessage ?? inner
  return { protocolMessage: { type: Type.MESSAGE_EDIT, key: { id: target.id }, editedMessage } }
}

type Key = proto.IMessageKey | null | undefined
/** Returns the target message and the decrypted content. It tries every address of the sender with every address of the target's author. */
async function opened(box: Box, uses: Use[], key: Key, about: About, parties: Parties): Promise<[StoredMessage | null, Uint8Array | null]> {
  const target = key?.id ? await parties.kept(key.id) : null
  const secret = target && secretIn(proto.Message.decode(target.message))
  if (!target || !secret || !box.encPayload || !box.encIv) return [target, null]
  const creators = target.fromMe ? parties.ours : await parties.addressesOf(target.participant ?? target.chat)
  const senders = about.fromMe ? parties.ours : about.from.map(addressOf)
  for (const use of uses)
    for (const creator of new Set([...creators, ...senders]))
      for (const sender of senders) {
        const plain = unsealed(box as Required<Box>, use, { id: target.id, secret, creator, sender })
        if (plain) return [target, plain]
      }
  return [target, null]
}

type Sealing = { id: string; secret: Uint8Array; creator: string; sender: string }
function unsealed({ encPayload, encIv }: Required<Box>, use: Use, { id, secret, creator, sender }: Sealing): Uint8Array | null {
  const key = hkdfSync('sha256', secret, new Uint8Array(), `${id}${creator}${sender}${use}`, 32)
  const beside = Buffer.from(bound.includes(use) ? `${id}\0${sender}` : '')
  try {
    return aesDecryptGCM(encPayload!, new Uint8Array(key), encIv!, beside)
  } catch {
    return null // encrypted with another address
  }
}

/** Returns the secret of a message, which is beside its content or in a wrapper. */
function secretIn(message: proto.IMessage): Uint8Array | null {
  const wrapped = openedIn(message).content.messageContextInfo?.messageSecret
  const secret = message.messageContextInfo?.messageSecret ?? wrapped
  return secret?.length ? secret : null
}

/** Returns the chosen options of a poll. */
function chosenIn(poll: StoredMessage, plain: Uint8Array): string[] {
  const content = contentIn(proto.Message.decode(poll.message))
  const { pollCreationMessage, pollCreationMessageV2, pollCreationMessageV3, pollCreationMessageV5 } = content
  const { options } = pollCreationMessage ?? pollCreationMessageV2 ?? pollCreationMessageV3 ?? pollCreationMessageV5 ?? {}
  const chosen = new Set(proto.Message.PollVoteMessage.decode(plain).selectedOptions.map((hash) => Buffer.from(hash).toString('hex')))
  return (options ?? []).flatMap(({ optionName }) => (chosen.has(hashOf(optionName ?? '')) ? [optionName!] : []))
}
const hashOf = (option: string) => createHash('sha256').update(option).digest('hex')

const signs = { [EventResponseType.GOING]: '✅', [EventResponseType.NOT_GOING]: '❌', [EventResponseType.MAYBE]: '❔' } as Record<
  number,
  string
>
/** The response to an event, with the number of guests. */
function answerIn(plain: Uint8Array): string {
  const { response, extraGuestCount } = proto.Message.EventResponseMessage.decode(plain)
  return `${signs[response ?? 0] ?? '❔'}${extraGuestCount ? ` +${extraGuestCount}` : ''}`
}

export const oursOf = ({ id, lid }: { id: string; lid?: string | undefined }): string[] =>
  [id, lid].flatMap((jid) => (jid ? [jidNormalizedUser(jid)] : []))
