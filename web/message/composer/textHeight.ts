import { type RefObject, useLayoutEffect } from 'react'

const rows = 5
const line = 20

/** Makes the field as high as its text, up to five lines (R-MSG-03), and again when its width changes. */
export function useTextHeight(field: RefObject<HTMLTextAreaElement | null>, text: string, recording: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text, and the field returns after a recording
  useLayoutEffect(() => {
    if (field.current) adjustHeight(field.current)
  }, [field, text, recording])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field returns after a recording
  useLayoutEffect(() => {
    const { current } = field
    if (!current) return
    let width = current.clientWidth
    const resized = new ResizeObserver(() => {
      if (current.clientWidth === width) return
      width = current.clientWidth
      adjustHeight(current)
    })
    resized.observe(current)
    return () => resized.disconnect()
  }, [field, recording])
}

function adjustHeight(field: HTMLTextAreaElement): void {
  field.style.height = 'auto'
  field.style.height = `${Math.min(field.scrollHeight, rows * line + 12)}px`
}
