import { Button } from '@blueprintjs/core'
import { type Atom, useAtomValue, useSetAtom, type WritableAtom } from 'jotai'
import { useEffect, useRef } from 'react'
import { useWords } from '#web/i18n.ts'
import css from './More.module.css'
import { failure } from './toaster.ts'
import { uiWords } from './words.ts'

type Of = { hasMore: Atom<boolean>; error: Atom<unknown>; more: WritableAtom<null, [], Promise<void>> }

/** The end of a list. It loads the next page before the end is visible; after a failure it offers a retry. */
export function More({ list }: { list: Of }) {
  const t = useWords(uiWords)
  const hasMore = useAtomValue(list.hasMore)
  const error = useAtomValue(list.error)
  const more = useSetAtom(list.more)
  const end = useRef<HTMLDivElement>(null)
  const watching = hasMore && !error
  useEffect(() => {
    if (!watching || !end.current) return
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && void more(), { rootMargin: '100px' })
    watch.observe(end.current)
    return () => watch.disconnect()
  }, [watching, more])
  if (error)
    return (
      <p className={css.failed} role="alert">
        {failure(error)} <Button size="small" text={t('retry')} onClick={() => void more()} />
      </p>
    )
  return hasMore ? <div ref={end} className={css.more} role="status" aria-label={t('loading')} /> : null
}
