import { useEffect, useState } from 'react'
import type { ContactRow } from '#domain/contact/contract.ts'
import { hasPhoneNumbers } from '#domain/contact/rules.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import dialogs from './dialogs.module.css'
import { newWords } from './words.ts'

/** The check needs a complete number and works for no group. */
const isCheckable = ({ number, channel, isGroup }: ContactRow) => hasPhoneNumbers(channel) && !isGroup && /^\+?\d{8,15}$/.test(number)

/** Warns that a contact is not on WhatsApp, if that can be determined; it blocks nothing. */
export function OnWhatsApp({ of: contact }: { of: ContactRow }) {
  const t = useWords(newWords)
  const [there, setThere] = useState<boolean | null>(null)
  const number = isCheckable(contact) ? contact.number : null
  useEffect(() => {
    if (number === null) return
    let mounted = true
    api.contacts.profile({ params: { number } }).then(
      ({ exists }) => mounted && setThere(exists),
      () => undefined, // the check failed; sending will show it
    )
    return () => {
      mounted = false
    }
  }, [number])
  return (
    <div role="status" data-part="on-whatsapp" className={there === false ? dialogs.notThere : dialogs.there}>
      {there !== null && t(there ? 'onWhatsApp' : 'notOnWhatsApp')}
    </div>
  )
}
