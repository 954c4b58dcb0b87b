import { atom, getDefaultStore } from 'jotai'
import { useEffect, useRef } from 'react'

/** 'mod+k', '?', 'g i' (one after the other). `mod` is ⌘ on a Mac, Ctrl elsewhere. */
export type Key = { keys: string; says: string; run: () => void /** Also while somebody types. */; typing?: true }
type Group = { name: string; keys: Key[] }

/** What the shortcuts sheet shows: the keys of everything on screen. */
export const keyGroupsAtom = atom<Group[]>([])
const held = new Set<{ current: Group }>()
const mac = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.userAgent)

const told = ({ key, metaKey, ctrlKey, altKey }: KeyboardEvent) =>
  `${(mac ? metaKey : ctrlKey) ? 'mod+' : ''}${altKey ? 'alt+' : ''}${key.length === 1 ? key.toLowerCase() : key}`
/** Inputs in which nobody writes. */
const dials = /^(range|checkbox|radio|button|color)$/
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  !(target instanceof HTMLInputElement && dials.test(target.type)) &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

let before = { key: '', at: 0 }
function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const key = told(event)
  const pair = event.timeStamp - before.at < 1200 ? `${before.key} ${key}` : ''
  before = { key, at: event.timeStamp }
  const typing = isTyping(event.target) || document.querySelector('.bp6-dialog, .palette') !== null
  for (const group of [...held].reverse())
    for (const { keys, run, typing: always } of group.current.keys)
      if ((keys === pair || keys === key) && (!typing || always)) {
        event.preventDefault()
        before = { key: '', at: 0 }
        run()
        return
      }
}

/** Keys that work while the view stands, and the lines of the sheet that say so. */
export function useKeys(name: string, keys: Key[]): void {
  const group = useRef<Group>({ name, keys })
  useEffect(() => {
    group.current = { name, keys }
  })
  const lines = JSON.stringify([name, keys])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines change when what the sheet says does
  useEffect(() => {
    const store = getDefaultStore()
    const list = () =>
      store.set(
        keyGroupsAtom,
        [...held].map(({ current }) => current),
      )
    if (held.size === 0) window.addEventListener('keydown', press)
    held.add(group)
    list()
    return () => {
      held.delete(group)
      if (held.size === 0) window.removeEventListener('keydown', press)
      list()
    }
  }, [lines])
}

const signs: Record<string, string> = {
  mod: mac ? '⌘' : 'Ctrl',
  alt: mac ? '⌥' : 'Alt',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Escape: 'Esc',
  ' ': '␣',
}
/** How keys are drawn: one cap each. */
export const caps = (keys: string): string[] => keys.split(/[ +]/).map((key) => signs[key] ?? (key.length === 1 ? key.toUpperCase() : key))
