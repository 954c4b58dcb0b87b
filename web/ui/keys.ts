import { atom, getDefaultStore } from 'jotai'
import { useEffect, useRef } from 'react'
import { meAtom } from '#web/session.ts'

/**
 * 'mod+k', 'act+e', '?', 'g i' (one after the other). `mod` is ⌘ on a Mac, Ctrl elsewhere. `act` is Alt+Shift, on
 * a Mac ⌃⇧: browsers leave both free, and no layout writes with them as with AltGr or ⌥.
 */
export type Key = {
  keys: string
  /** The alternative while a text field receives the letters. */
  also?: string
  label: string
  run: () => void
  /** Also active while the user types, and with shortcuts switched off. */
  typing?: true
}
export type Group = { name: string; keys: Key[] }

/** The contents of the shortcuts sheet: the keys of everything on screen. */
export const keyGroupsAtom = atom<Group[]>([])
const groups = new Set<{ current: Group }>()
const mac = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.userAgent)

/** Whether shortcuts are on; stored per user on this device. */
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

/** The letter of the layout. If Shift turns it into a sign, the physical key decides. */
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
/** Whether the element accepts text. */
export const isWriting = (target: EventTarget | null): boolean => isTyping(target) && !(target instanceof HTMLSelectElement)
/** Whether a dialog or menu is open; a closing one does not count. */
const covered = () => document.querySelector('.bp6-dialog, [data-part=palette], [data-part=lightbox], .bp6-popover-open') !== null
/** Whether a key writes text: a letter, a sign, a dead key, or an input method. */
function writes(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, target } = event
  if (!altGr(event) && (ctrlKey || metaKey || (altKey && !mac))) return false
  if (key === ' ') return target === document.body // elsewhere Space presses the focused element
  return [...key].length === 1 || key === 'Dead' || key === 'Process'
}
/** The field that receives letters typed without a focused field. */
const writable = () => {
  const field = document.querySelector<HTMLTextAreaElement>('[data-part=composer] textarea:enabled')
  return field?.checkVisibility() ? field : null
}
/** Milliseconds without a letter after which letters are shortcuts again. */
const restMs = 2000
let heldSince = Number.NEGATIVE_INFINITY
/** A text field has just disappeared, so letters that still arrive are not shortcuts. */
export function holdLetters(): void {
  heldSince = performance.now()
}
/** While a ticket is open a letter is text, whether or not the field has the focus. */
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
  if (event.defaultPrevented) return
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
      if (!event.repeat || plain) run() // a held key runs an action only once
      return
    }
  if (!field) return
  field.focus({ preventScroll: true }) // the key continues and writes there
  field.setSelectionRange(field.value.length, field.value.length)
}

/** Registers keys while a component is mounted, and their lines in the shortcuts sheet. */
export function useKeys(name: string, keys: Key[]): void {
  const group = useRef<Group>({ name, keys })
  useEffect(() => {
    group.current = { name, keys }
  })
  const lines = JSON.stringify([name, keys])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines change when their labels do
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
/** The keys of a shortcut, one text per key cap. */
export const caps = (keys: string): string[] =>
  keys.split(/[ +]/).flatMap((key) => signs[key]?.split(' ') ?? [key.length === 1 ? key.toUpperCase() : key])
/** A name with its shortcut, for tooltips. */
export const withKeys = (name: string, keys: string): string => `${name} (${caps(keys).join(mac ? '' : '+')})`

/*
 * A key that was pressed elsewhere must not press a button here. When Enter chooses an item and the focus moves to
 * a button, the same Enter would be released or repeat on that button, and Blueprint's buttons click on release.
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
/**
 * Keys that an input method uses reach no handler. Safari sends the Enter that ends a composition after the composition,
 * with the key code 229 alone.
 */
function keepFromComposition(event: KeyboardEvent): void {
  if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation()
}
/** Call it once, before any other key handler. */
export function keepPresses(): void {
  window.addEventListener('keydown', keepFromComposition, true)
  window.addEventListener('keydown', pressed, true)
  window.addEventListener('keyup', letGo, true)
}
