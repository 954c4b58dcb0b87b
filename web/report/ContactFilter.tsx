import { Button } from '@blueprintjs/core'
import { CaretDown } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { ContactPicker } from '#web/ticket/dialogs/ContactPicker.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { RemovableTag } from '#web/ui/RemovableTag.tsx'
import { reportContact } from './atoms.ts'
import css from './Report.module.css'
import { reportWords } from './words.ts'

/** A filter by one contact, which is found by name or number (R-REPORT-03). Names and numbers are masked as in the list of contacts. */
export function ContactFilter({ chosen, onChoose }: { chosen: number | undefined; onChoose: (id: number | undefined) => void }) {
  const t = useWords(reportWords)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Popover
        open={open}
        onOpenChange={setOpen}
        placement="bottom-start"
        content={
          <section className={css.contact} aria-label={t('contactName')}>
            <ContactPicker
              isForMessages={false}
              onChoose={({ id }) => {
                setOpen(false)
                onChoose(id)
              }}
            />
          </section>
        }
      >
        <Button endIcon={<CaretDown />} active={chosen !== undefined} text={t('contactName')} />
      </Popover>
      {chosen !== undefined && <Chosen id={chosen} onRemove={() => onChoose(undefined)} />}
    </>
  )
}

/** The contact by its name; a contact that is not there any more by its id. */
function Chosen({ id, onRemove }: { id: number; onRemove: () => void }) {
  const t = useWords(reportWords)
  const loaded = useAtomValue(reportContact(id))
  const name = loaded.state === 'ready' ? loaded.value.name || t('noName') : `#${id}`
  return (
    <RemovableTag onRemove={onRemove}>
      {t('contactName')}: <bdi>{name}</bdi>
    </RemovableTag>
  )
}
