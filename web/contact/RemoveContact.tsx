import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import type { ContactRow } from '#domain/contact/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { overviewOf } from './profile.ts'
import { contactWords } from './words.ts'

/** Asks before a contact is deleted (A-CONTACT-01). */
export function RemoveContact({ contact: { id, name }, onClose }: { contact: ContactRow; onClose: () => void }) {
  const t = useWords(contactWords)
  const tUi = useWords(uiWords)
  const of = overviewOf(id)
  const loaded = useAtomValue(of)
  const reload = useSetAtom(of.reload)
  useEffect(() => void reload(), [reload]) // it may have been merged since it was shown
  const merged = loaded.state === 'ready' ? loaded.value.merges.map(({ source }) => source.name) : []
  return (
    <Confirm
      title={tUi('removeOne', { name })}
      question={
        <>
          <p>{t('removeMeans')}</p>
          {merged.length > 0 && <p>{t('removesMerged', { names: merged.join(', ') })}</p>}
        </>
      }
      waits={loaded.state === 'loading'}
      verb={tUi('remove')}
      onClose={onClose}
      onConfirm={async () => {
        await api.contacts.remove({ params: { id } })
        toast(t('removedToast'))
      }}
    />
  )
}
