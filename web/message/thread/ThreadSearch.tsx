import { Button, Spinner } from '@blueprintjs/core'
import { ChevronDown, ChevronUp, Cross, Search } from '@blueprintjs/icons'
import { useAtom } from 'jotai'
import { type KeyboardEvent, useEffect, useState } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { searchingAtom } from '#web/message/atoms.ts'
import { useKeys } from '#web/ui/keys.ts'
import { uiWords } from '#web/ui/words.ts'
import { noHighlight } from './highlight.ts'
import css from './ThreadSearch.module.css'
import { useThreadSearch } from './useThreadSearch.ts'
import { searchWords } from './words.ts'

/** Searches one conversation, including unloaded messages; the newest hit comes first. */
export function ThreadSearch({ ticketId, list }: { ticketId: number; list: Collection<MessageRow> }) {
  const t = useWords(searchWords)
  const [open, setOpen] = useAtom(searchingAtom)
  useKeys(t('title'), [{ keys: 'mod+f', label: t('title'), run: () => setOpen(ticketId) }])
  useEffect(
    () => () => {
      setOpen(null)
      noHighlight() // also of a message that a search in all messages opened
    },
    [setOpen],
  )
  return open === ticketId ? <SearchBar ticketId={ticketId} list={list} onClose={() => setOpen(null)} /> : null
}

function SearchBar({ ticketId, list, onClose }: { ticketId: number; list: Collection<MessageRow>; onClose: () => void }) {
  const t = useWords(searchWords)
  const tUi = useWords(uiWords)
  const [text, setText] = useState('')
  const sought = text.trim()
  const { hits, at, isBusy, step, cancel } = useThreadSearch(ticketId, list, sought)
  const close = () => {
    cancel()
    onClose()
    document.querySelector<HTMLElement>('[data-part=composer] textarea:enabled')?.focus()
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
    } else if (event.key === 'Enter' || event.key === 'ArrowUp') step(event.shiftKey ? -1 : 1)
    else if (event.key === 'ArrowDown') step(-1)
    else return
    event.preventDefault()
  }
  const total = sought === '' ? 0 : (hits?.count ?? 0)
  return (
    <search className={css.search} data-part="thread-search">
      <Search size={14} />
      <input
        // biome-ignore lint/a11y/noAutofocus: the user opened it to type
        autoFocus
        aria-label={t('title')}
        placeholder={t('title')}
        maxLength={200}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={handleKeyDown}
      />
      {isBusy && <Spinner size={14} aria-label={tUi('loading')} />}
      <span className="nums" role="status">
        {hits && sought !== '' && (total === 0 ? t('none') : t('at', { n: at + 1, total }))}
      </span>
      <Button
        variant="minimal"
        size="small"
        icon={<ChevronUp />}
        disabled={at + 1 >= total}
        aria-label={t('older')}
        title={t('older')}
        onClick={() => step(1)}
      />
      <Button
        variant="minimal"
        size="small"
        icon={<ChevronDown />}
        disabled={at === 0}
        aria-label={t('newer')}
        title={t('newer')}
        onClick={() => step(-1)}
      />
      <Button variant="minimal" size="small" icon={<Cross />} aria-label={tUi('close')} onClick={close} />
    </search>
  )
}
