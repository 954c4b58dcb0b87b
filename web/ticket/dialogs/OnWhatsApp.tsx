import { useEffect, useState } from 'react'
import type { ContactRow } from '#domain/contact/contract.ts'
import { networkOf } from '#domain/contact/rules.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import dialogs from './dialogs.module.css'
import { newWords } from './words.ts'

/** What can be asked for: a whole number, and no group’s. */
const asks = ({ number, channel, isGroup }: ContactRow) => networkOf(channel) === 'whatsapp' && !isGroup && /^\+?\d{8,15}$/.test(number)

/** Whether who is to be written to is on WhatsApp at all, where that can be told; it keeps nobody from writing. */
export function OnWhatsApp({ of: contact }: { of: ContactRow }) {
  const t = useWords(newWords)
  const [there, setThere] = useState<boolean | null>(null)
  const number = asks(contact) ? contact.number : null
  useEffect(() => {
    if (number === null) return
    let mounted = true
    api.contacts.profile({ params: { number } }).then(
      ({ exists }) => mounted && setThere(exists),
      () => undefined, // nobody knows now; writing tells
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
