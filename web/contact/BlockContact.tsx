import { Button, type ButtonProps } from '@blueprintjs/core'
import { Disable, Unlock } from '@blueprintjs/icons'
import { useState } from 'react'
import { type ContactRow, contacts } from '#domain/contact/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { useMay } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { toast } from '#web/ui/toaster.ts'
import { contactWords } from './words.ts'

type Of = ButtonProps & {
  contact: Pick<ContactRow, 'id' | 'name' | 'active'>
  /** Shows the icon only. */
  iconOnly?: boolean
  onSaved?: (row: ContactRow) => void
}

/** Blocks a contact after a confirmation, or unblocks it at once (R-CONTACT-01). */
export function BlockContact({ contact: { id, name, active }, iconOnly = false, onSaved, ...button }: Of) {
  const t = useWords(contactWords)
  const [asked, setAsked] = useState(false)
  const act = useAsyncAction()
  if (!useMay(contacts.block)) return null
  const save = async (to: boolean) => {
    const row = await api.contacts.block({ params: { id }, body: { active: to } })
    onSaved?.(row)
    toast(t(to ? 'unblockedToast' : 'blockedToast'))
  }
  const text = t(active ? 'block' : 'unblock')
  return (
    <>
      <Button
        {...button}
        icon={active ? <Disable /> : <Unlock />}
        loading={act.pending}
        {...(iconOnly ? { 'aria-label': `${text}: ${name}`, title: text } : { text })}
        onClick={active ? () => setAsked(true) : () => void act(() => save(true))()}
      />
      {asked && (
        <Confirm
          title={t('askBlock', { name })}
          question={t('blockMeans')}
          verb={t('block')}
          onConfirm={() => save(false)}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}
