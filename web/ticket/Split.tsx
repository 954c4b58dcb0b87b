import { useAtomValue } from 'jotai'
import { type CSSProperties, type ReactNode, useRef } from 'react'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'
import { meAtom, store, useMe } from '#web/session.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { railAtom } from '#web/ui/breakpoints.ts'
import css from './Split.module.css'

const least = 404
const most = 700
/** Beside an icon rail the list is as narrow as its cards allow, and the chat gets the rest. */
const slim = 320
const step = 16
const fits = (width: number) => Math.round(Math.min(most, Math.max(least, width)))

let saving: ReturnType<typeof setTimeout> | undefined
/** R-INBOX-08: the width is stored per user, a moment after the drag ends. */
function keep(width: number): void {
  const me = store.get(meAtom)
  if (!me || me.defaultTicketsManagerWidth === width) return
  store.set(meAtom, { ...me, defaultTicketsManagerWidth: width })
  clearTimeout(saving)
  saving = setTimeout(() => {
    // the width stays on this page
    void ignoreErrors(
      api.users.width({ params: { userId: me.id }, body: { defaultTicketsManagerWidth: width } }),
      'the width holds until the page is loaded again',
    )
  }, 600)
}

/**
 * The list beside the chat; `alone` shows one of them and the other is null. The chat keeps its position in the
 * tree, and so its state. One handle between two panes needs no layout library.
 */
export function Split({ list, alone, children }: { list: ReactNode; alone: boolean; children: ReactNode }) {
  const t = useWords(ticketWords)
  const kept = fits(useMe().defaultTicketsManagerWidth || least)
  const rail = useAtomValue(railAtom)
  const box = useRef<HTMLDivElement>(null)
  const show = (width: number) => box.current?.style.setProperty('--list', `${width}px`)
  return (
    <div className={css.split} ref={box} style={{ '--list': `${rail ? slim : kept}px` } as CSSProperties}>
      {list && (
        <section className={css.list} data-part="split-list" data-alone={alone || undefined} aria-label={t('list')}>
          {list}
        </section>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a handle that moves, not a line */}
      <div
        hidden={rail || alone}
        role="separator"
        tabIndex={0}
        className={css.handle}
        aria-orientation="vertical"
        aria-label={t('resize')}
        aria-valuemin={least}
        aria-valuemax={most}
        aria-valuenow={kept}
        onPointerDown={(event) => {
          const { currentTarget: handle, clientX: from, pointerId } = event
          let width = kept
          handle.setPointerCapture(pointerId)
          handle.dataset.moving = ''
          const move = ({ clientX }: PointerEvent) => {
            width = fits(kept + clientX - from)
            show(width)
          }
          handle.addEventListener('pointermove', move)
          handle.addEventListener(
            'lostpointercapture',
            () => {
              handle.removeEventListener('pointermove', move)
              delete handle.dataset.moving
              keep(width)
            },
            { once: true },
          )
        }}
        onDoubleClick={() => keep(least)}
        onKeyDown={({ key }) => {
          const by = key === 'ArrowLeft' ? -step : key === 'ArrowRight' ? step : 0
          if (by !== 0) keep(fits(kept + by))
        }}
      />
      {children && <div className={css.rest}>{children}</div>}
    </div>
  )
}
