import { isJidGroup, isLidUser, jidNormalizedUser, type WAMessage, type WASocket } from '@whiskeysockets/baileys'
import type { Identity } from '../channels/channel.ts'
import { idsOf } from './parse-inbound.ts'

/** The account's mapping from ids to numbers, needed because WhatsApp often names people only by their id. */
export type Numbers = Pick<WASocket['signalRepository']['lidMapping'], 'getPNForLID'>

async function numberOf(jid: string | null | undefined, numbers: Numbers): Promise<string | null> {
  const number = jid && isLidUser(jid) ? await numbers.getPNForLID(jidNormalizedUser(jid)) : null
  return number && jidNormalizedUser(number)
}

/** Adds the sender's number to a message that names only the sender's id. */
export async function withNumber(message: WAMessage, numbers: Numbers): Promise<WAMessage> {
  const { key } = message
  const [who, alt] = isJidGroup(key.remoteJid!) ? (['participant', 'participantAlt'] as const) : (['remoteJid', 'remoteJidAlt'] as const)
  const number = key[alt] ? null : await numberOf(key[who], numbers)
  return number ? { ...message, key: { ...key, [alt]: number } } : message
}

export async function idsWithNumber(jids: (string | null | undefined)[], numbers: Numbers): Promise<Identity[]> {
  const ids = idsOf(jids)
  if (ids.some(({ kind }) => kind === 'phone')) return ids
  return idsOf([...jids, ...(await Promise.all(jids.map((jid) => numberOf(jid, numbers))))])
}
