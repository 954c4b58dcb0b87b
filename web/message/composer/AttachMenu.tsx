import { Menu, MenuItem } from '@blueprintjs/core'
import { Camera, FolderOpen, IdNumber, Upload } from '@blueprintjs/icons'
import { useWords } from '#web/i18n.ts'
import { composerWords } from './words.ts'

export type AttachActions = { onDevice: () => void; onCamera: () => void; onFileList: () => void; onContact: () => void }
/** What can be attached to a message. A file list and a contact card cannot go into a note. */
export function AttachMenu({ isPrivate, onDevice, onCamera, onFileList, onContact }: AttachActions & { isPrivate: boolean }) {
  const t = useWords(composerWords)
  return (
    <Menu>
      <MenuItem icon={<Upload />} text={t('fromDevice')} onClick={onDevice} />
      <MenuItem icon={<Camera />} text={t('camera')} onClick={onCamera} />
      <MenuItem icon={<FolderOpen />} text={t('fileList')} disabled={isPrivate} onClick={onFileList} />
      <MenuItem icon={<IdNumber />} text={t('sendContact')} disabled={isPrivate} onClick={onContact} />
    </Menu>
  )
}
