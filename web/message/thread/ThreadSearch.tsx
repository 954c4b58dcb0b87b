import { Button, Spinner } from '@blueprintjs/core'
import { ChevronDown, ChevronUp, Cross, Search } from '@blueprintjs/icons'
import { useAtom, useSetAtom } from 'jotai'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FoundMessage, MessageRow } from '#domain/message/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { jumpAtom, searchingAtom } from '#web/message/atoms.ts'
import { bring } from '#web/message/bring.ts'
import { useKeys } from '#web/ui/keys.ts'
import { toastFailure } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { highlight, noHighlight } from './highlight.ts'
import css from './ThreadSearch.module.css'
import { searchWords } from './words.ts'

type Hits = { sought: string; all: FoundMessage[]; count: number; hasMore: boolean; page: number }
const settles = 250

/** Searches one conversation, including unloaded messages; the newest hit comes first. */
export function ThreadSearch({ ticketId, list }: { ticketId: number; list: Collection<MessageRow> }) {
  const t = useWords(searchWords)
  const [open, setOpen] = useAtom(searchingAtom)
  useKeys(t('title'), [{ keys: 'mod+f', label: t('title'), run: () => setOpen(ticketId) }])
  useEffect(() => () => setOpen(null), [setOpen])
  return open === ticketId ? <SearchBar ticketId={ticketId} list={list} onClose={() => setOpen(null)} /> : null
}

function SearchBar({ ticketId, list, onClose }: { ticketId: number; list: Collection<MessageRow>; onClose: () => void }) {
  const t = useWords(searchWords)
  const tUi = useWords(uiWords)
  const setJump = useSetAtom(jumpAtom)
  const [text, setText] = useState('')
  const [hits, setHits] = useState<Hits | null>(null)
  const [at, setAt] = useState(0)
  const [busy, setBusy] = useState(false)
  const turn = useRef(0)
  const sought = text.trim()

  const ask = async (page: number) => {
    const { messages, count, hasMore } = await api.messages.search({
      params: { ticketId },
      query: { searchParam: sought, ...(page > 1 && { pageNumber: page }) },
    })
    return { messages, count, hasMore }
  }
  /** Loads pages until the thread contains the message, then shows it. */
  const go = async ({ messageId, pageNumber }: FoundMessage, mine: number) => {
    await bring(list, messageId, { most: pageNumber + 2 })
    requestAnimationFrame(() => {
      if (mine !== turn.current) return
      setJump({ id: messageId, n: mine })
      highlight(messageId, sought)
    })
  }
  const working = async (work: (mine: number) => Promise<void>) => {
    const mine = ++turn.current
    setBusy(true)
    await work(mine).catch((error: unknown) => mine === turn.current && toastFailure(error))
    if (mine === turn.current) setBusy(false)
  }
  const step = (by: 1 | -1) =>
    void working(async (mine) => {
      if (!hits || hits.sought !== sought) return
      let { all } = hits
      const to = at + by
      if (to >= all.length && hits.hasMore) {
        const { messages, hasMore, count } = await ask(hits.page + 1)
        all = [...all, ...messages]
        if (mine !== turn.current) return
        setHits({ ...hits, all, hasMore, count, page: hits.page + 1 })
      }
      const hit = all[to]
      if (!hit) return
      setAt(to)
      await go(hit, mine)
    })
  const begin = useEffectEvent(() =>
    working(async (mine) => {
      const { messages, count, hasMore } = await ask(1)
      if (mine !== turn.current) return
      setHits({ sought, all: messages, count, hasMore, page: 1 })
      setAt(0)
      if (messages[0]) await go(messages[0], mine)
    }),
  )
  useEffect(() => {
    noHighlight()
    if (sought === '') return
    const timer = setTimeout(() => void begin(), settles)
    return () => clearTimeout(timer)
  }, [sought])
  useEffect(() => noHighlight, [])
  const close = () => {
    turn.current++
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
      {busy && <Spinner size={14} aria-label={tUi('loading')} />}
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
