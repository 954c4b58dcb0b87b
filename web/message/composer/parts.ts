import { kindOf } from '#web/ui/files.ts'
import type { Attachment, Draft } from './drafts.ts'

/** One message of a draft. `isCaption`: the text is the own caption of its file. */
export type MessagePart = { body: string; files: File[]; quoted: number | null; isCaption: boolean }

/**
 * Splits a draft into one message per file, in the order of the files. The text captions the first file that shows
 * one. It precedes the files if that file has its own caption, and follows them if all are audio.
 */
export function partsOf(
  text: string,
  attachments: readonly Attachment[],
  { quoted, captions }: Pick<Draft, 'quoted' | 'captions'>,
): MessagePart[] {
  const parts: MessagePart[] = attachments.map(({ id, file }) => {
    const body = kindOf(file) === 'audio' ? '' : (captions[id] ?? '').trim()
    return { body, files: [file], quoted: null, isCaption: body !== '' }
  })
  const first = parts.find(({ files }) => kindOf(files[0]!) !== 'audio') ?? parts.at(-1)
  if (first && !first.isCaption) first.body = text
  else if (text !== '') parts.unshift({ body: text, files: [], quoted: null, isCaption: false })
  if (parts[0]) parts[0].quoted = quoted
  return parts
}
