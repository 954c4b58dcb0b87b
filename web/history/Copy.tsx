import { Clipboard, Tick } from '@blueprintjs/icons'
import { type ReactNode, useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './Copy.module.css'

/** Copies a text to the clipboard and confirms it. */
export function Copy({
  text,
  label,
  className = css.hash,
  children,
}: {
  text: string
  label: string
  className?: string | undefined
  children: ReactNode
}) {
  const tUi = useWords(uiWords)
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1200)
  }
  return (
    <button type="button" className={className} title={label} onClick={() => void copy()}>
      {children}
      {copied ? <Tick size={12} /> : <Clipboard size={12} />}
      <span className="hidden-but-read" role="status">
        {copied && tUi('copied')}
      </span>
    </button>
  )
}
