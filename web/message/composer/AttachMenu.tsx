import { Menu, MenuItem } from '@blueprintjs/core'
import { FolderOpen, Upload } from '@blueprintjs/icons'
import { useWords } from '#web/i18n.ts'
import { composerWords } from './words.ts'

/** Chooses files from this device or from a file list. A file list cannot go into a note. */
export function AttachMenu(of: { isPrivate: boolean; onDevice: () => void; onFileList: () => void }) {
  const t = useWords(composerWords)
  return (
    <Menu>
      <MenuItem icon={<Upload />} text={t('fromDevice')} onClick={of.onDevice} />
      <MenuItem icon={<FolderOpen />} text={t('fileList')} disabled={of.isPrivate} onClick={of.onFileList} />
    </Menu>
  )
}
