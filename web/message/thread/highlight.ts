import { excerpt } from '#domain/message/rules.ts'

const name = 'found'
/** The first place of the first text that is found. */
const rangeIn = (box: Element, sought: string[]): Range | null =>
  sought.reduce<Range | null>((found, text) => found ?? rangeOf(box, text), null)
const rangeOf = (box: Element, sought: string): Range | null => {
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

let watcher: MutationObserver | undefined

/**
 * Highlights a search hit in a message without changing what React rendered. It unfolds a folded text and is
 * applied again after each render of the message.
 */
export function highlight(messageId: number, sought: string[]): void {
  noHighlight()
  let marked: Range | null = null
  let unfolded = false
  const mark = () => {
    if (marked && !marked.collapsed && marked.startContainer.isConnected) return
    CSS.highlights?.delete(name)
    const box = document.querySelector(`[data-message="${messageId}"] [data-part=bubble]`)
    if (!box) return
    marked = rangeIn(box, sought)
    if (marked) CSS.highlights?.set(name, new Highlight(marked))
    else if (!unfolded) {
      unfolded = true
      box.querySelector<HTMLElement>('[data-part=written-more]')?.click()
    }
  }
  watcher = new MutationObserver(mark)
  watcher.observe(document.body, { childList: true, subtree: true, characterData: true })
  mark()
}

export function noHighlight(): void {
  watcher?.disconnect()
  CSS.highlights?.delete(name)
}
