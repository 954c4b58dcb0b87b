import { Button } from '@blueprintjs/core'
import { Edit, Trash } from '@blueprintjs/icons'
import { useWords } from '#web/i18n.ts'
import { uiWords } from './words.ts'

/** What can be done with a row of a plain list, each said of whom. */
export function RowButtons({ name, onEdit, onRemove }: { name: string; onEdit: () => void; onRemove: (() => void) | null }) {
  const say = useWords(uiWords)
  return (
    <>
      <Button variant="minimal" icon={<Edit />} aria-label={`${say('edit')}: ${name}`} onClick={onEdit} />
      {onRemove && <Button variant="minimal" icon={<Trash />} aria-label={`${say('remove')}: ${name}`} onClick={onRemove} />}
    </>
  )
}
