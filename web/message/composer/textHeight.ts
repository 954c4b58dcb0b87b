import { useAtomValue } from 'jotai'
import { type RefObject, useLayoutEffect } from 'react'
import { fieldHeightAtom, fittedHeight } from './field-height.ts'

const rows = 5
const line = 20

/**
 * Makes the field as high as its text, up to five lines (R-MSG-03), or as high as the user chose, and again when its
 * width or the chat's height changes.
 */
export function useTextHeight(field: RefObject<HTMLTextAreaElement | null>, text: string, recording: boolean): void {
  const chosen = useAtomValue(fieldHeightAtom)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text, and the field returns after a recording
  useLayoutEffect(() => {
    if (field.current) adjustHeight(field.current, chosen)
  }, [field, text, recording, chosen])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field returns after a recording
  useLayoutEffect(() => {
    const { current } = field
    if (!current) return
    const sizes = () => `${current.clientWidth} ${chosen === null ? '' : chatHeight(current)}`
    let before = sizes()
    const resized = new ResizeObserver(() => {
      if (sizes() === before) return
      before = sizes()
      adjustHeight(current, chosen)
    })
    resized.observe(current)
    const chat = chatOf(current)
    if (chat) resized.observe(chat)
    return () => resized.disconnect()
  }, [field, recording, chosen])
}

const chatOf = (field: HTMLElement | null) => field?.closest('[data-part=chat]')
/** The height of the chat around a field, in pixels. */
export const chatHeight = (field: HTMLElement | null): number => chatOf(field)?.clientHeight ?? innerHeight

function adjustHeight(field: HTMLTextAreaElement, chosen: number | null): void {
  field.style.maxHeight = chosen === null ? '' : 'none'
  field.style.height = 'auto'
  field.style.height = `${chosen === null ? Math.min(field.scrollHeight, rows * line + 12) : fittedHeight(chosen, chatHeight(field))}px`
}
