import { Button } from '@blueprintjs/core'
import { Help } from '@blueprintjs/icons'
import { useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { Popover } from '#web/ui/Popover.tsx'
import css from './Dashboard.module.css'
import { dashboardWords, definitionWords } from './words.ts'

/** A question mark that shows what a number counts. */
export function Definition({ of, name }: { of: keyof typeof definitionWords; name: string }) {
  const t = useWords(dashboardWords)
  const tDefinition = useWords(definitionWords)
  const [open, setOpen] = useState(false)
  return (
    <Popover open={open} onOpenChange={setOpen} content={<p className={css.definition}>{tDefinition(of)}</p>} placement="bottom">
      <Button variant="minimal" size="small" className={css.explain!} icon={<Help size={12} />} aria-label={t('explain', { name })} />
    </Popover>
  )
}
