import { type Channel, channels } from '#domain/channel/channels.ts'
import { filled } from '#domain/ticket/rules.ts'
import { isFormatted } from '#web/message/bubble/blocks.ts'

type Of = {
  /** The values that replace the variables of a reply when it is sent. */
  values: Record<string, string>
  isPrivate: boolean
  channel: Channel
}
/** The draft as it will be read, if that differs from what is typed; otherwise null. A note is read in this product only. */
export function previewOf(body: string, { values, isPrivate, channel }: Of): { text: string; isFormatted: boolean } | null {
  const text = isPrivate ? body : filled(body, values)
  const showsFormats = isPrivate || channels[channel].boldMark !== ''
  const formatted = showsFormats && isFormatted(text)
  return formatted || text !== body ? { text, isFormatted: formatted } : null
}
