import type { KeyboardEvent } from 'react'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { emojis } from './emojis.ts'

const columns = 9
/** A plain grid: arrows walk it. */
export function Emojis({ onChoose }: { onChoose: (emoji: string) => void }) {
  const say = useWords(messageWords)
  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const all = [...event.currentTarget.querySelectorAll('button')]
    all[all.indexOf(document.activeElement as HTMLButtonElement) + by]?.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid that arrows walk, no part of a form
    <div className="emojis" role="group" aria-label={say('emojis')} style={{ '--columns': columns } as object} onKeyDown={walk}>
      {emojis.map((emoji, at) => (
        // biome-ignore lint/a11y/noAutofocus: it was opened to choose from
        <button key={emoji} type="button" autoFocus={at === 0} aria-label={emoji} onClick={() => onChoose(emoji)}>
          {emoji}
        </button>
      ))}
    </div>
  )
}
