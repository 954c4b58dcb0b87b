import { translate } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { readied } from '#web/ui/files.ts'
import { type Attachment, attachmentOf } from './drafts.ts'

const most = 10

/** The files in this order; those attached meanwhile follow. */
export function arranged(files: readonly Attachment[], ids: readonly string[]): Attachment[] {
  const placeOf = ({ id }: Attachment) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
  return files.toSorted((a, b) => placeOf(a) - placeOf(b))
}

export type ChangeAttachments = (change: (now: Attachment[]) => Attachment[]) => void
/** Returns the file as it will be sent, or the text why it cannot be sent. */
type Prepare = (file: File) => Promise<File | string>

/**
 * Adds files at once, in the order of choice, and prepares each at its place. A file that cannot be sent leaves the
 * list with its reason.
 */
export async function attach(
  given: Iterable<File>,
  change: ChangeAttachments,
  refuse: (why: string) => void,
  prepare: Prepare = readied,
): Promise<void> {
  const chosen = [...given].map((file) => attachmentOf(file, true))
  change((now) => [...now, ...chosen])
  for (const { id, file } of chosen) {
    const ready = await prepare(file)
    if (typeof ready === 'string') refuse(ready)
    change((now) =>
      now.flatMap((one) => (one.id !== id ? one : typeof ready === 'string' ? [] : { ...one, file: ready, isPreparing: false })),
    )
  }
  let isTooMany = false
  change((now) => {
    isTooMany = now.length > most
    return now.slice(0, most)
  })
  if (isTooMany) refuse(translate(messageWords, 'fileMany', { n: most }))
}
