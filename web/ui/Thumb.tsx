import { Document as DocumentIcon, Music, Video } from '@blueprintjs/icons'
import { kindOf } from './files.ts'
import { useObjectUrl } from './objectUrl.ts'
import css from './Thumb.module.css'

export function Thumb({ file }: { file: File }) {
  const kind = kindOf(file)
  const url = useObjectUrl(kind === 'image' ? file : null)
  if (url) return <img className={css.thumb} src={url} alt="" width={44} height={44} />
  return <span className={css.thumb}>{kind === 'audio' ? <Music /> : kind === 'video' ? <Video /> : <DocumentIcon />}</span>
}
