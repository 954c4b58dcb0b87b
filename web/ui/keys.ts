import { atom, getDefaultStore } from 'jotai'
import { useEffect, useRef } from 'react'
import { meAtom } from '#web/session.ts'

/**
 * 'mod+k', 'act+e', '?', 'g i' (one after the other). `mod` is ⌘ on a Mac, Ctrl elsewhere.
 * `act` is Alt+Shift, on a Mac ⌃⇧: browsers leave both free, and no layout writes with them as it does with AltGr or ⌥.
 */
export type Key = {
  keys: string
  /** The same while a text field takes the letters. */
  also?: string
  label: string
  run: () => void
  /** Also while somebody types, and with shortcuts switched off. */
  typing?: true
}
export type Group = { name: string; keys: Key[] }

/** What the shortcuts sheet shows: the keys of everything on screen. */
export const keyGroupsAtom = atom<Group[]>([])
const groups = new Set<{ current: Group }>()
const mac = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.userAgent)

/** Whether shortcuts work at all; kept per user on this machine. */
const shelf = () => `shortcuts-${getDefaultStore().get(meAtom)?.id ?? 0}`
const turned = atom(0)
export const shortcutsAtom = atom(
  (get) => {
    get(turned)
    return localStorage.getItem(`shortcuts-${get(meAtom)?.id ?? 0}`) !== 'off'
  },
  (_, set, on: boolean) => {
    localStorage.setItem(shelf(), on ? 'on' : 'off')
    set(turned, (n) => n + 1)
  },
)

/** The letter of the layout; where Shift makes a sign of it, the place of the key says which was meant. */
const letter = ({ key, code }: KeyboardEvent) => (/^[a-z0-9]$/i.test(key) ? key : (/^(?:Key|Digit)(.)$/.exec(code)?.[1] ?? key))
const altGr = (event: KeyboardEvent) => event.getModifierState('AltGraph')
function pressedKey(event: KeyboardEvent): string {
  const { metaKey, ctrlKey, altKey, shiftKey } = event
  const lower = (key: string) => (key.length === 1 ? key.toLowerCase() : key)
  if (!altGr(event) && shiftKey && !metaKey && (mac ? ctrlKey && !altKey : altKey && !ctrlKey)) return `act+${lower(letter(event))}`
  if (altGr(event)) return lower(event.key)
  return `${(mac ? metaKey : ctrlKey) ? 'mod+' : ''}${altKey ? 'alt+' : ''}${lower(event.key)}`
}
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !/^(range|checkbox|radio|button|file|color)$/.test(target.type)))
/** Whether text is typed there. */
export const isWriting = (target: EventTarget | null): boolean => isTyping(target) && !(target instanceof HTMLSelectElement)
/** A dialog or menu that stands; one that is on its way out no longer does. */
const covered = () => document.querySelector('.bp6-dialog, [data-part=palette], [data-part=lightbox], .bp6-popover-open') !== null
/** A key that writes: a letter, a sign, a dead key, or one an input method takes. */
function writes(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, target } = event
  if (!altGr(event) && (ctrlKey || metaKey || (altKey && !mac))) return false
  if (key === ' ') return target === document.body // elsewhere it presses what has the focus
  return [...key].length === 1 || key === 'Dead' || key === 'Process'
}
/** Where letters go that no field was given. */
const writable = () => {
  const field = document.querySelector<HTMLTextAreaElement>('[data-part=composer] textarea:enabled')
  return field?.checkVisibility() ? field : null
}
/** Milliseconds without a letter after which letters are commands again. */
const restMs = 2000
let heldSince = Number.NEGATIVE_INFINITY
/** What somebody typed in has just gone: the letters that are still on their way are no commands. */
export function holdLetters(): void {
  heldSince = performance.now()
}
/** Where a ticket is open a letter is text, whether or not its field has the focus. */
function isText(event: KeyboardEvent): boolean {
  if ([...event.key].length !== 1) return false
  if (performance.now() - heldSince < restMs) {
    holdLetters()
    return true
  }
  return document.querySelector('[data-in=chat]') !== null
}

let before = { key: '', at: 0 }
function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const key = pressedKey(event)
  const plain = !/^(mod|act|alt)\+/.test(key)
  const over = covered()
  const typing = isTyping(event.target)
  const field = !typing && !over && writes(event) ? writable() : null
  const text = plain && isText(event)
  const pair = event.timeStamp - before.at < 1200 ? `${before.key} ${key}` : ''
  before = { key: typing || field || text ? '' : key, at: event.timeStamp }
  const on = getDefaultStore().get(shortcutsAtom)
  for (const group of [...groups].reverse())
    for (const { keys, also, run, typing: always } of group.current.keys) {
      if (keys !== pair && keys !== key && also !== key) continue
      if (!always && (!on || over || (plain && (typing || field !== null || text)))) continue
      event.preventDefault()
      before = { key: '', at: 0 }
      if (!event.repeat || plain) run() // what acts does so once however long it is held
      return
    }
  if (!field) return
  field.focus({ preventScroll: true }) // the key goes on, and writes there
  field.setSelectionRange(field.value.length, field.value.length)
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
        [...groups].map(({ current }) => current),
      )
    if (groups.size === 0) window.addEventListener('keydown', press)
    groups.add(group)
    list()
    return () => {
      groups.delete(group)
      if (groups.size === 0) window.removeEventListener('keydown', press)
      list()
    }
  }, [lines])
}

const signs: Record<string, string> = {
  mod: mac ? '⌘' : 'Ctrl',
  alt: mac ? '⌥' : 'Alt',
  act: mac ? '⌃⇧' : 'Alt Shift',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Escape: 'Esc',
  ' ': '␣',
}
/** How keys are drawn: one cap each. */
export const caps = (keys: string): string[] =>
  keys.split(/[ +]/).flatMap((key) => signs[key]?.split(' ') ?? [key.length === 1 ? key.toUpperCase() : key])
/** A name with its keys behind it, as a button says them when it is pointed at. */
export const withKeys = (name: string, keys: string): string => `${name} (${caps(keys).join(mac ? '' : '+')})`

/*
 * A key that was pressed elsewhere presses nothing here. Where Enter chooses something and the focus goes on to the button that does it, the
 * same Enter would be let go, or come again, on that button, and Blueprint's buttons click as it is let go.
 */
let pressedOn: EventTarget | null = null
const presses = ({ key }: KeyboardEvent) => key === 'Enter' || key === ' '
const isButton = (target: EventTarget | null) => target instanceof Element && target.closest('button, [role="button"]') !== null
function pressed(event: KeyboardEvent): void {
  if (!event.repeat) pressedOn = event.target
  else if (presses(event) && event.target !== pressedOn && isButton(event.target)) {
    event.preventDefault()
    event.stopPropagation()
  }
}
function letGo(event: KeyboardEvent): void {
  if (presses(event) && event.target !== pressedOn && isButton(event.target)) event.stopPropagation()
}
/** Called once, before anything else hears a key. */
export function keepPresses(): void {
  window.addEventListener('keydown', pressed, true)
  window.addEventListener('keyup', letGo, true)
}
