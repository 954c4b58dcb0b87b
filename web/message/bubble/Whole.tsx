import { Document as DocumentIcon, Download } from '@blueprintjs/icons'
import type { MessageRow } from '#domain/message/contract.ts'
import { useLanguage } from '#web/i18n.ts'
import { kilobytes } from '#web/ui/files.ts'
import css from './Body.module.css'

/** The file with the full text, of which the message shows the beginning. */
export function Whole({ message: { mediaUrl, media }, words }: { message: MessageRow; words: string }) {
  const language = useLanguage()
  if (!mediaUrl || !media) return null
  return (
    <a className={css.file} href={mediaUrl} download={media.name}>
      <DocumentIcon size={20} />
      <span>
        <b>{words}</b>
        <small className="nums">{kilobytes(media.size, language)}</small>
      </span>
      <Download size={14} />
    </a>
  )
}
