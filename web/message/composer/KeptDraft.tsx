import { Button } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'
import { useWords } from '#web/i18n.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './Composer.module.css'

/** The draft of a ticket that another agent has now. It can be copied, and stays in case the ticket returns. */
export function KeptDraft({ isPrivate, body }: { isPrivate: boolean; body: string }) {
  const t = useWords(ticketWords)
  const tUi = useWords(uiWords)
  const copy = async () => {
    await navigator.clipboard.writeText(body)
    toast(tUi('copied'))
  }
  return (
    <p className={css.kept}>
      <span>{t(isPrivate ? 'takenNote' : 'takenDraft')}</span>
      {body.trim() !== '' && <Button size="small" variant="minimal" icon={<Duplicate />} text={tUi('copy')} onClick={() => void copy()} />}
    </p>
  )
}
