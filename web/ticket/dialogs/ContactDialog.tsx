import { useAtomValue, useSetAtom } from 'jotai'
import { contactOf } from '#web/ticket/drawer/contacts.ts'
import { ContactForm } from './ContactForm.tsx'
import type { Shown } from './dialog.ts'

export function ContactDialog({ of: { contactId }, close }: Shown<'contact'>) {
  const shown = contactOf(contactId)
  const { row } = useAtomValue(shown)
  const apply = useSetAtom(shown.apply)
  if (!row) return null
  const { name, number, email, extraInfo } = row
  return (
    <ContactForm
      id={contactId}
      start={{ name, number, email, extraInfo: extraInfo.map((one) => ({ name: one.name, value: one.value })) }}
      onSaved={(now) => apply([{ op: 'put', row: now }])}
      onClose={close}
    />
  )
}
