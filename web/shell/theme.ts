import { atom } from 'jotai'

export type Theme = 'light' | 'dark'
const kept = 'preferredTheme'

function show(theme: Theme): void {
  const root = document.documentElement
  root.dataset.theme = theme
  root.classList.toggle('bp6-dark', theme === 'dark')
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', theme === 'dark' ? '#16191e' : '#ffffff')
}

const chosen = atom<Theme>(document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light')
/** Saved on each change (R-LAYOUT-07). Until a choice, the theme of the system applies. */
export const themeAtom = atom(
  (get) => get(chosen),
  (_, set, theme: Theme) => {
    localStorage.setItem(kept, theme)
    show(theme)
    set(chosen, theme)
  },
)
show(document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light')
