import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'
import { useWords } from '#web/i18n.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './Notices.module.css'

/** A refused input and what can be done about it. It stays until it is dismissed or the message is sent. */
export type Notice = { text: string; verb?: string; run?: () => void }
export const noticesOf = atomFamily((_: number) => atom<Notice[]>([]))

export function Notices({ notices, onChange }: { notices: Notice[]; onChange: (notices: Notice[]) => void }) {
  const t = useWords(uiWords)
  const without = (one: Notice) => onChange(notices.filter((other) => other !== one))
  return (
    <ul className={css.notices} data-part="notices" role="alert">
      {notices.map((notice) => (
        <li key={notice.text}>
          <span dir="auto">{notice.text}</span>
          {notice.run && (
            <Button
              size="small"
              variant="outlined"
              text={notice.verb}
              onClick={() => {
                notice.run?.()
                without(notice)
              }}
            />
          )}
          <Button size="small" variant="minimal" icon={<Cross size={12} />} aria-label={t('close')} onClick={() => without(notice)} />
        </li>
      ))}
    </ul>
  )
}
