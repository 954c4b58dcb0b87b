import { InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useAtom } from 'jotai'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { ContactRow } from '#domain/contact/contract.ts'
import { api } from '#web/api.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { useWords } from '#web/i18n.ts'
import { finding } from '#web/ticket/dialogs/finding.ts'
import { newWords } from '#web/ticket/dialogs/words.ts'
import { PersonButton } from '#web/ui/PersonButton.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import dialogs from './dialogs.module.css'

/** Finds contacts from three characters on; `none` is shown if there are none. */
export function ContactPicker({
  onChoose,
  none,
  before,
  start,
  channel,
  isForMessages = true,
  isPerson = false,
}: {
  onChoose: (contact: ContactRow) => void
  none?: (text: string) => ReactNode
  /** Shown until the user types. */
  before?: ReactNode
  start?: string
  /** Only contacts that this channel can reach. */
  channel?: string
  /** Contacts that cannot receive messages are not choosable. */
  isForMessages?: boolean
  /** Without groups. */
  isPerson?: boolean
}) {
  const t = useWords(newWords)
  const found = useMemo(
    () =>
      finding(async (text) => {
        const query = { searchParam: text, ...(channel && { channel }), ...(isPerson && { isGroup: false }) }
        return (await api.contacts.list({ query })).contacts
      }),
    [channel, isPerson],
  )
  const [text, setText] = useState(start ?? '')
  const [{ state, rows }, find] = useAtom(found)
  // searches again when the channel becomes known after the typing
  useEffect(() => find(text), [find, text])
  useEffect(() => () => find(''), [find])
  return (
    <>
      <InputGroup
        autoFocus
        id="find-contact"
        leftIcon={<Search />}
        placeholder={t('find')}
        value={text}
        onValueChange={setText}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || state !== 'ready' || !rows[0]) return
          event.preventDefault()
          onChoose(rows[0])
        }}
      />
      <div className={dialogs.people} aria-live="polite">
        {text.trim() === '' && before}
        {state === 'waiting' && rows.length === 0 && <Skeleton rows={3} height={40} avatar />}
        {rows.map((contact) => (
          <PersonButton
            key={contact.id}
            name={contact.name}
            picture={contact.urlPicture}
            disabled={isForMessages && (!contact.active || !contact.validNumber)}
            onClick={() => onChoose(contact)}
          >
            <small className="nums">{contact.isGroup ? '' : formattedNumber(contact.number)}</small>
          </PersonButton>
        ))}
        {state === 'ready' && rows.length === 0 && (
          <div className={dialogs.peopleNone}>
            <p>{t('none', { text: text.trim() })}</p>
            {none?.(text.trim())}
          </div>
        )}
      </div>
    </>
  )
}
