import { setTimeout as sleep } from 'node:timers/promises'
import { channelOfProduct, channels } from '#domain/channel/channels.ts'
import type { Media } from '#domain/ticket/events.ts'
import { PartialDeliveryError, PermanentChannelError, TransientChannelError } from '../channels/channel.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { leavesInParts, partLeft } from '../inbound/sent-messages.ts'
import type { Account } from './accounts.ts'
import { GraphApiError } from './graph.ts'

const unlimited = { max: Number.POSITIVE_INFINITY, unit: 'characters' } as const
const visibleCharacters = new Intl.Segmenter()
/** The beginning of a text within the limit. It ends between two visible characters, unless the first is too long. */
function beginningOf(text: string, size: (text: string) => number, max: number): string {
  let [end, used] = [0, 0]
  for (const { index, segment } of visibleCharacters.segment(text)) {
    used += size(segment)
    if (used > max) break
    end = index + segment.length
  }
  if (end > 0) return text.slice(0, end)
  let part = ''
  for (const letter of text) {
    if (size(part + letter) > max) break
    part += letter
  }
  return part
}
/** Splits a text into as few parts as the channel allows, at a blank if one is near the end. */
export function splitText(whole: string, product: Account['product']): string[] {
  const { max, unit } = channels[channelOfProduct(product)].textLimit ?? unlimited
  const size = unit === 'bytes' ? (text: string) => Buffer.byteLength(text) : (text: string) => text.length
  const parts: string[] = []
  let rest = whole.trim()
  while (rest !== '') {
    let part = beginningOf(rest, size, max)
    const blank = part.length < rest.length ? part.search(/\s\S*$/) : -1
    if (blank > part.length / 2) part = part.slice(0, blank)
    parts.push(part.trim())
    rest = rest.slice(part.length).trim()
  }
  return parts
}

/** Meta’s attachment type of a file. */
export function attachmentKind({ mime }: Pick<Media, 'mime'>): string {
  const [group = ''] = mime.split('/')
  return ['image', 'video', 'audio'].includes(group) ? group : 'file'
}

type Sent = Parameters<typeof leavesInParts>[0]
type Send = (part: object, i: number) => Promise<string | null>
/** Sends parts in order. The first part identifies the whole message. `signal`: stops the remaining parts. */
export async function sendInParts(parts: object[], of: Sent, signal: AbortSignal, send: Send): Promise<string | null> {
  const [head, ...rest] = parts
  if (!head) throw new PermanentChannelError('ERR_SENDING_WAPP_MSG') // only blanks
  if (rest.length === 0) return send(head, 0)
  await leavesInParts(of, parts.length).catch(postpone)
  // the part was sent, whether this is recorded or not
  const left = (id: string | null, i: number) =>
    ignoreErrors(partLeft(of, id ?? '', i === 0), 'the part was sent, whether this is recorded or not')
  const first = await send(head, 0).catch((error: unknown) => {
    // the remaining parts are not sent in either case
    throw error instanceof GraphApiError && error.outcome !== 'unknown' ? error : new PartialDeliveryError(error)
  })
  await left(first, 0)
  for (const [i, part] of rest.entries()) {
    const id = await retryRateLimited(() => send(part, i + 1), signal).catch((cause: unknown) => {
      throw new PartialDeliveryError(cause)
    })
    await left(id, i + 1)
  }
  return first
}

/** Nothing was sent yet. */
export const postpone = () => Promise.reject(new TransientChannelError('ERR_CHANNEL_AWAY'))

/** Retries while Meta asks to send later, because a partly sent message cannot be postponed. After an abort it throws the last error. */
async function retryRateLimited<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let pauseMs = 1000; ; pauseMs *= 2)
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof GraphApiError && error.outcome === 'later')) throw error
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        throw error
      })
    }
}
