import type { ContactRow } from '#domain/contact/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { contactWords } from './words.ts'

/** Asks before a contact is deleted (A-CONTACT-01). */
export function RemoveContact({ contact: { id, name }, onClose }: { contact: ContactRow; onClose: () => void }) {
  const t = useWords(contactWords)
  const tUi = useWords(uiWords)
  return (
    <Confirm
      title={tUi('removeOne', { name })}
      question={t('removeMeans')}
      verb={tUi('remove')}
      onClose={onClose}
      onConfirm={async () => {
        await api.contacts.remove({ params: { id } })
        toast(t('removedToast'))
      }}
    />
  )
}
