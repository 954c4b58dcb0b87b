import { excerpt } from '#domain/message/rules.ts'

const name = 'found'
const rangeIn = (box: Element, sought: string): Range | null => {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = (node as Text).data
    const hit = excerpt(text.replace(/\s/g, ' '), sought)?.hit
    const at = hit ? text.replace(/\s/g, ' ').indexOf(hit) : -1
    if (!hit || at < 0) continue
    const range = new Range()
    range.setStart(node, at)
    range.setEnd(node, at + hit.length)
    return range
  }
  return null
}

/** Marks what was found in a message, unfolding it where that is hidden; without changing what React drew. */
export function highlight(messageId: number, sought: string): void {
  CSS.highlights?.delete(name)
  const box = document.querySelector(`[data-message="${messageId}"] [data-part=bubble]`)
  if (!box) return
  const mark = () => {
    const range = rangeIn(box, sought)
    if (range) CSS.highlights?.set(name, new Highlight(range))
    return range !== null
  }
  if (mark()) return
  box.querySelector<HTMLElement>('[data-part=written-more]')?.click()
  requestAnimationFrame(mark)
}
export const noHighlight = (): boolean => CSS.highlights?.delete(name) ?? false
