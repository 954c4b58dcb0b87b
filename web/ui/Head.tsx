import { Button, InputGroup } from '@blueprintjs/core'
import { Cross, Search } from '@blueprintjs/icons'
import { type ReactNode, useRef } from 'react'
import { useWords } from '#web/i18n.ts'
import css from './Head.module.css'
import { useKeys } from './keys.ts'
import { uiWords } from './words.ts'

/** The head of a screen: title, optional search, and the main action. */
export function Head({
  title,
  lead,
  children,
  search,
  onSearch,
  hint,
  autoFocus = false,
}: {
  title: string
  lead?: ReactNode
  children?: ReactNode
  search?: string
  onSearch?: (text: string) => void
  /** Describes what the search covers, if more than names. */
  hint?: string
  /** The screen is opened to type. */
  autoFocus?: boolean
}) {
  const t = useWords(uiWords)
  const box = useRef<HTMLInputElement>(null)
  useKeys(title, onSearch ? [{ keys: '/', label: t('search'), run: () => box.current?.focus() }] : [])
  return (
    <header className={css.head}>
      <div className={css.title}>
        <h1>{title}</h1>
        {lead && <p>{lead}</p>}
      </div>
      {onSearch && (
        <InputGroup
          className={css.search}
          type="search"
          autoFocus={autoFocus}
          inputRef={box}
          leftIcon={<Search />}
          placeholder={hint ?? t('search')}
          aria-label={hint ?? t('search')}
          value={search ?? ''}
          onValueChange={onSearch}
          {...(search && {
            rightElement: <Button variant="minimal" icon={<Cross />} aria-label={t('clear')} onClick={() => onSearch('')} />,
          })}
        />
      )}
      {children}
    </header>
  )
}
