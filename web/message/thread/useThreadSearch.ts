import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FoundMessage, MessageRow } from '#domain/message/contract.ts'
import { api } from '#web/api.ts'
import type { Collection } from '#web/live.ts'
import { showMessage } from '#web/message/show-message.ts'
import { toastFailure } from '#web/ui/toaster.ts'
import { highlight, noHighlight } from './highlight.ts'

type Hits = { sought: string; all: FoundMessage[]; count: number; hasMore: boolean; page: number }
const settles = 250

/** The hits for a text in one conversation; each step shows an older (1) or newer (-1) one in the thread. */
export function useThreadSearch(ticketId: number, list: Collection<MessageRow>, sought: string) {
  const [hits, setHits] = useState<Hits | null>(null)
  const [at, setAt] = useState(0)
  const [isBusy, setIsBusy] = useState(false)
  const turn = useRef(0)

  const ask = async (page: number) => {
    const { messages, count, hasMore } = await api.messages.search({
      params: { ticketId },
      query: { searchParam: sought, ...(page > 1 && { pageNumber: page }) },
    })
    return { messages, count, hasMore }
  }
  const go = async ({ messageId }: FoundMessage, mine: number) => {
    const isShown = await showMessage(list, messageId, { wanted: () => mine === turn.current })
    if (isShown) requestAnimationFrame(() => mine === turn.current && highlight(messageId, [sought]))
  }
  const working = async (work: (mine: number) => Promise<void>) => {
    const mine = ++turn.current
    setIsBusy(true)
    await work(mine).catch((error: unknown) => mine === turn.current && toastFailure(error))
    if (mine === turn.current) setIsBusy(false)
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
  const cancel = () => {
    turn.current++
  }
  return { hits, at, isBusy, step, cancel }
}
