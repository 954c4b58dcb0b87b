import { Button } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'
import { paletteOpenAtom, sheetOpenAtom } from '#web/shell/atoms.ts'
import { shellWords } from '#web/shell/words.ts'
import { caps } from '#web/ui/keys.ts'
import { countsAtom, tabAtom } from './atoms.ts'
import css from './Day.module.css'
import { Waited } from './list/Waited.tsx'
import { dayWords, ticketWords } from './words.ts'

/** The inbox while no ticket is chosen: who waits, who has waited longest, the user's own tickets, and shortcuts. */
export function Day() {
  const t = useWords(dayWords)
  const tTicket = useWords(ticketWords)
  const tShell = useWords(shellWords)
  const setTab = useSetAtom(tabAtom)
  const openPalette = useSetAtom(paletteOpenAtom)
  const openSheet = useSetAtom(sheetOpenAtom)
  const language = useLanguage()
  const { pending, open } = useAtomValue(countsAtom)
  const longest = useLongestWait(pending)
  const shortcuts = [
    { text: tShell('find'), keys: caps('mod+k'), run: () => openPalette(true) },
    { text: tShell('shortcuts'), keys: ['?'], run: () => openSheet(true) },
  ]
  return (
    <div className={css.day} data-part="day">
      <h2>{tTicket('welcome')}</h2>
      <div className={css.numbers}>
        <button type="button" onClick={() => setTab('pending')}>
          <b className="nums">{pending === null ? '…' : amount(pending, language)}</b> {t('waiting')}
        </button>
        <button type="button" onClick={() => setTab('open')}>
          <b className="nums">{open === null ? '…' : amount(open, language)}</b> {t('open')}
        </button>
      </div>
      {longest?.waitingSince && (
        <p className={css.longest} data-part="longest-wait">
          {t('longest')} <Waited since={longest.waitingSince} />
          <Link href={`/tickets/${longest.uuid}`} dir="auto">
            {longest.contact.name}
          </Link>
        </p>
      )}
      <ul className={css.shortcuts}>
        {shortcuts.map(({ text, keys, run }) => (
          <li key={text}>
            <Button variant="minimal" text={text} onClick={run} />
            <span aria-hidden>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The first ticket of the waiting list, which is sorted by waiting time. `count`: loads again when it changes. */
function useLongestWait(count: number | null): TicketRow | null {
  const [first, setFirst] = useState<TicketRow | null>(null)
  useEffect(() => {
    if (count === null) return
    let isOver = false
    const load = async () => {
      const { tickets } = await api.tickets.list({ query: { status: 'pending', pageSize: 1 } })
      if (!isOver) setFirst(tickets[0] ?? null)
    }
    void ignoreErrors(load(), 'the longest wait is shown after the next change')
    return () => {
      isOver = true
    }
  }, [count])
  return count === 0 ? null : first
}
