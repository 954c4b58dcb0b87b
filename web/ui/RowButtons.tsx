import { Button } from '@blueprintjs/core'
import { Edit, Trash } from '@blueprintjs/icons'
import { useWords } from '#web/i18n.ts'
import { uiWords } from './words.ts'

/** The buttons of a row, each labelled with the row's name. */
export function RowButtons({ name, onEdit, onRemove }: { name: string; onEdit: () => void; onRemove: (() => void) | null }) {
  const t = useWords(uiWords)
  return (
    <>
      <Button variant="minimal" icon={<Edit />} aria-label={`${t('edit')}: ${name}`} onClick={onEdit} />
      {onRemove && <Button variant="minimal" icon={<Trash />} aria-label={`${t('remove')}: ${name}`} onClick={onRemove} />}
    </>
  )
}
