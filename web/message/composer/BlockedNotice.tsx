import type { ContactRow } from '#domain/contact/contract.ts'
import { BlockContact } from '#web/contact/BlockContact.tsx'
import { useWords } from '#web/i18n.ts'
import css from './AnswerWindow.module.css'
import { composerWords } from './words.ts'

/** The contact is blocked: what an agent writes reaches them, but their answers are discarded (R-CONTACT-01). */
export function BlockedNotice({ contact }: { contact: Pick<ContactRow, 'id' | 'name' | 'active'> }) {
  const t = useWords(composerWords)
  return (
    <div className={css.window} data-part="contact-blocked">
      <p role="status">{t('contactBlocked')}</p>
      <BlockContact contact={contact} size="small" variant="outlined" />
    </div>
  )
}
