import { IdNumber } from '@blueprintjs/icons'
import { useState } from 'react'
import { erasedText } from '#domain/text/rules.ts'
import { type Card, cards } from '#domain/vcard/rules.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import css from './Body.module.css'
import { Callable } from './Callable.tsx'
import { inboundWords } from './inbound-words.ts'
import written from './Written.module.css'
import { Written } from './Written.tsx'

/** More contact cards than this are shown after a click. */
const mostShown = 5

/** The contact cards of a message (R-INBOX-23). */
export function Cards({ text }: { text: string }) {
  const t = useWords(inboundWords)
  const [isUnfolded, setIsUnfolded] = useState(false)
  if (text === erasedText) return <Written text={text} />
  const all = cards(text)
  const shown = isUnfolded || all.length <= mostShown ? all : all.slice(0, mostShown)
  return (
    <>
      {shown.map((card, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the cards of a message do not change
        <ContactCard key={i} card={card} />
      ))}
      {shown.length < all.length && (
        <button type="button" className={written.more} onClick={() => setIsUnfolded(true)}>
          {t('moreContacts', { n: all.length - shown.length })}
        </button>
      )}
    </>
  )
}

function ContactCard({ card: { name, organization, title, phones, emails, urls, addresses } }: { card: Card }) {
  const t = useWords(messageWords)
  return (
    <div className={css.person}>
      <IdNumber size={22} />
      <div>
        <b>{name || t('contactCard')}</b>
        {[organization, title]
          .filter((words) => words !== '' && words !== name)
          .map((words) => (
            <small key={words}>{words}</small>
          ))}
        {phones.map(({ number }) => (
          <Callable key={number} number={formattedNumber(number)} />
        ))}
        {[...emails, ...urls, ...addresses].map((words) => (
          <Written key={words} text={words} />
        ))}
      </div>
    </div>
  )
}
