import { useAtomValue } from 'jotai'
import { type CSSProperties, type ReactNode, useRef } from 'react'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { meAtom, store, useMe } from '#web/session.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { railAtom } from '#web/ui/breakpoints.ts'
import css from './Split.module.css'

const least = 404
const most = 700
/** Beside a rail of icons the list is as slim as its cards can be read, and what is left is the chat's. */
const slim = 320
const step = 16
const fits = (width: number) => Math.round(Math.min(most, Math.max(least, width)))

let saving: ReturnType<typeof setTimeout> | undefined
/** R-INBOX-08: remembered per user, a moment after the hand rests. */
function keep(width: number): void {
  const me = store.get(meAtom)
  if (!me || me.defaultTicketsManagerWidth === width) return
  store.set(meAtom, { ...me, defaultTicketsManagerWidth: width })
  clearTimeout(saving)
  saving = setTimeout(() => {
    void api.users.width({ params: { userId: me.id }, body: { defaultTicketsManagerWidth: width } }).catch(() => {}) // it stays as it is here
  }, 600)
}

/** The list beside the chat; `alone`: one of them at a time, and the other is null. The chat keeps its place in both, and so its state. One handle between two panes needs no layout engine: the library for it weighs 18 kB. */
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
      {/* biome-ignore lint/a11y/useSemanticElements: a handle that is moved, not a line */}
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
