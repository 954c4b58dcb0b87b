import { useEffectEvent, useLayoutEffect } from 'react'
import { isWriting } from './keys.ts'

/** An overlay that takes the focus. */
const isOver = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement && target.closest('.bp6-portal, [data-part=palette]') !== null
/** Milliseconds in which a dialog moves the focus to its first field. */
const timeoutMs = 400

type Opening = { cancel: () => void; typed: string; end: () => void }
let opening: Opening | null = null

function insert(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const proto = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
  const set = Object.getOwnPropertyDescriptor(proto, 'value')!.set!
  set.call(field, field.value + text) // React compares with the value that it set itself
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
function onFocus({ target }: FocusEvent): void {
  if (!opening || !isOver(target)) return
  const { typed, end } = opening
  if (!isWriting(target)) {
    setTimeout(end, timeoutMs) // a dialog may move the focus to its first field
    return
  }
  end()
  if (typed !== '') insert(target as HTMLInputElement, typed)
}
function onKey(event: KeyboardEvent): void {
  if (!opening || isOver(document.activeElement)) return
  const { key, ctrlKey, metaKey, altKey } = event
  event.stopImmediatePropagation()
  if (key === 'Escape') {
    const { cancel, end } = opening
    end()
    cancel()
  } else if (ctrlKey || metaKey || altKey) return
  else if ([...key].length === 1) opening.typed += key
  else if (key === 'Backspace') opening.typed = opening.typed.slice(0, -1)
  else if (key.length > 1 && /^F\d/.test(key)) return
  event.preventDefault()
}
function onPointer({ target }: PointerEvent): void {
  if (!opening || isOver(target)) return
  if (!isWriting(target) && !(target instanceof Element && target.closest('a[href]'))) return
  const { cancel, end } = opening
  end()
  cancel() // the user writes or goes elsewhere
}

function begin(cancel: () => void): () => void {
  opening?.end()
  const mine: Opening = {
    cancel,
    typed: '',
    end: () => {
      if (opening !== mine) return
      opening = null
      window.removeEventListener('keydown', onKey, true)
      window.removeEventListener('pointerdown', onPointer, true)
      document.removeEventListener('focusin', onFocus)
    },
  }
  opening = mine
  window.addEventListener('keydown', onKey, true)
  window.addEventListener('pointerdown', onPointer, true)
  document.addEventListener('focusin', onFocus)
  return mine.end
}

/**
 * From the key that opens an overlay until the overlay has the focus, however late its script loads, typed text
 * waits for its first field and reaches nothing else. Escape, or a click into another field or on a link, cancels.
 */
export function useOpening(asked: unknown, cancel: () => void): void {
  const takeBack = useEffectEvent(cancel)
  useLayoutEffect(() => {
    if (!asked || isOver(document.activeElement)) return
    if (document.activeElement instanceof HTMLElement && isWriting(document.activeElement)) document.activeElement.blur()
    return begin(() => takeBack())
  }, [asked])
}
