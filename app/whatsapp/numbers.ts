import { isJidGroup, isLidUser, jidNormalizedUser, type WAMessage, type WASocket } from '@whiskeysockets/baileys'
import type { Identity } from '../channels/channel.ts'
import { idsOf } from './parse-inbound.ts'

/** What the account knows of whose number an id is; WhatsApp names people by their id, and by both only where it likes to. */
export type Numbers = Pick<WASocket['signalRepository']['lidMapping'], 'getPNForLID'>

async function numberOf(jid: string | null | undefined, numbers: Numbers): Promise<string | null> {
  const number = jid && isLidUser(jid) ? await numbers.getPNForLID(jidNormalizedUser(jid)) : null
  return number && jidNormalizedUser(number)
}

/** A message with the number of who is named by their id alone. */
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
