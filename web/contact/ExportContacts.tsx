import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { Export } from '@blueprintjs/icons'
import { useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Popover } from '#web/ui/Popover.tsx'
import { contactQuery, type Wanted } from './atoms.ts'
import { saveContacts } from './save-contacts.ts'
import { contactWords } from './words.ts'

/** Saves the listed contacts as a file, in one of two formats (R-CONTACT-08). */
export function ExportContacts({ filter }: { filter: Wanted }) {
  const t = useWords(contactWords)
  const act = useAsyncAction()
  const [isOpen, setIsOpen] = useState(false)
  const save = (call: 'export' | 'exportText') => void act(() => saveContacts(call, contactQuery(filter)), { done: t('exported') })()
  return (
    <Popover
      open={isOpen}
      onOpenChange={setIsOpen}
      placement="bottom-end"
      content={
        <Menu>
          <MenuItem text={t('exportExcel')} onClick={() => save('export')} />
          <MenuItem text={t('exportText')} onClick={() => save('exportText')} />
        </Menu>
      }
    >
      <Button icon={<Export />} text={t('export')} loading={act.pending} aria-haspopup="menu" />
    </Popover>
  )
}
