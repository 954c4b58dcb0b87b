import { useAtomValue } from 'jotai'
import { Link } from 'wouter'
import { formattedNumber } from '#web/contact/phone.ts'
import { useWords } from '#web/i18n.ts'
import { duplicatesOf } from './contacts.ts'
import css from './Drawer.module.css'
import { contactWords } from './words.ts'

/** Links to contacts that the network reported as the same person. */
export function SamePerson({ contactId }: { contactId: number }) {
  const t = useWords(contactWords)
  const loadedDuplicates = useAtomValue(duplicatesOf(contactId))
  if (loadedDuplicates.state !== 'ready' || loadedDuplicates.value.length === 0) return null
  return (
    <p className={css.same} data-part="same-person">
      {t('samePerson')}{' '}
      {loadedDuplicates.value.map(({ id, name, number }, i) => (
        <span key={id}>
          {i > 0 && ', '}
          <Link href={`/contacts/${id}`}>{name === number ? formattedNumber(number) : name}</Link>
        </span>
      ))}
    </p>
  )
}
