import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useWords } from '#web/i18n.ts'
import { useClickGuard } from './click-guard.ts'
import { leave, type Toast, toastsAtom } from './toaster.ts'
import { standClear } from './toastPlace.ts'
import css from './toasts.module.css'
import { uiWords } from './words.ts'

/** Rendered outside the root, so that toasts are above dialogs and outlive screens. */
export function draw(): void {
  const place = document.createElement('div')
  document.body.append(place)
  createRoot(place).render(<Toasts />)
}

/**
 * Toasts at the lower left; the content ends above them. Their time stops while the pointer or the focus is on
 * them. F8 focuses them.
 */
function Toasts() {
  const t = useWords(uiWords)
  const toasts = useAtomValue(toastsAtom)
  const [over, setOver] = useState(false)
  const [inside, setInside] = useState(false)
  const box = useClickGuard<HTMLUListElement>(toasts.map(({ key }) => key).join())
  const all = useRef<HTMLElement>(null)
  const some = toasts.length > 0
  useLayoutEffect(() => (some ? standClear(all.current!) : undefined), [some])
  useEffect(() => {
    const lead = (event: KeyboardEvent) => {
      const last = event.key === 'F8' ? [...(box.current?.querySelectorAll('button') ?? [])].at(-1) : undefined
      if (!last) return
      event.preventDefault()
      last.closest('li')?.querySelector('button')?.focus()
    }
    window.addEventListener('keydown', lead)
    return () => window.removeEventListener('keydown', lead)
  }, [box])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a toast that leaves under the pointer or with the focus sends no event
  useLayoutEffect(() => {
    setOver(all.current!.querySelector('li:hover') !== null)
    setInside(all.current!.contains(document.activeElement))
  }, [toasts])
  useEffect(() => {
    const letGo = () => {
      setOver(false)
      setInside(false)
    }
    document.addEventListener('visibilitychange', letGo)
    return () => document.removeEventListener('visibilitychange', letGo)
  }, [])
  return (
    <section
      className={css.toasts}
      ref={all}
      aria-label={t('notices')}
      onPointerMove={() => setOver(true)}
      onPointerLeave={() => setOver(false)}
      onFocus={() => setInside(true)}
      onBlur={() => setInside(false)}
    >
      <ul ref={box} aria-live="polite">
        {toasts.map((one) => (
          <One key={one.key} toast={one} paused={over || inside} />
        ))}
      </ul>
    </section>
  )
}

function One({ toast: { key, message, intent, action, timeout }, paused }: { toast: Toast; paused: boolean }) {
  const t = useWords(uiWords)
  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => leave(key), timeout)
    return () => clearTimeout(timer)
  }, [key, timeout, paused])
  return (
    <li className={css.toast} data-part="toast" data-intent={intent}>
      <span className={css.text} dir="auto">
        {message}
      </span>
      {action && (
        <Button
          size="small"
          variant="minimal"
          text={action.text}
          onClick={() => {
            leave(key)
            action.run()
          }}
        />
      )}
      <Button size="small" variant="minimal" icon={<Cross />} aria-label={t('close')} title={t('close')} onClick={() => leave(key)} />
    </li>
  )
}
