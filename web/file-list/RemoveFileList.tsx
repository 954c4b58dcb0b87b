import { FormGroup } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useId, useState } from 'react'
import type { FileListRow, FileListUse } from '#domain/file-list/contract.ts'
import { type ApiError, api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { Counts } from '#web/ui/Counts.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { fileListChoices } from './choices.ts'
import { fileListWords } from './words.ts'

/** Asks for confirmation. For a list in use it asks for a replacement (A-QUEUE-01). */
export function RemoveFileList({ list, onClose }: { list: FileListRow; onClose: () => void }) {
  const t = useWords(fileListWords)
  const tUi = useWords(uiWords)
  const id = useId()
  const [use, setUse] = useState<FileListUse | null>(null)
  const [moveTo, setMoveTo] = useState<number | null>(null)
  const others = useAtomValue(fileListChoices.all).filter((one) => one.id !== list.id)
  const handleRemove = async () => {
    const query = !use ? {} : moveTo === null ? { release: true } : { moveTo }
    await api.fileLists.remove({ params: { id: list.id }, query })
    toast(t('removed'))
  }
  const inUse = ({ code, detail }: ApiError) => {
    if (code === 'ERR_FILE_LIST_IN_USE') setUse(detail as FileListUse)
    return code === 'ERR_FILE_LIST_IN_USE'
  }
  const title = tUi('removeOne', { name: list.name })
  if (!use)
    return (
      <Confirm
        key="ask"
        title={title}
        question={t('warn')}
        verb={tUi('remove')}
        refused={inUse}
        onClose={onClose}
        onConfirm={handleRemove}
      />
    )
  return (
    <Confirm
      key="use"
      title={title}
      verb={t('replaceAndRemove')}
      onClose={onClose}
      onConfirm={handleRemove}
      question={
        <>
          <p>{t('inUse')}</p>
          <Counts of={(['queues', 'options'] as const).map((what) => [t(what), use[what]])} />
          <FormGroup label={t('instead')} labelFor={id}>
            <HTMLSelect
              id={id}
              fill
              value={moveTo ?? ''}
              onChange={({ currentTarget: { value } }) => setMoveTo(value === '' ? null : Number(value))}
            >
              <option value="">{t('nothing')}</option>
              {others.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </HTMLSelect>
          </FormGroup>
        </>
      }
    />
  )
}
