import { memo, useState } from 'react'
import { erasedText } from '#domain/text/rules.ts'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { Erased } from '#web/ui/Erased.tsx'
import { blocks } from './blocks.ts'
import { Callable } from './Callable.tsx'
import { fold, pieces } from './pieces.ts'
import css from './Written.module.css'

const onlyEmoji = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|\s){1,12}$/u

/** Matches if the first letter is from a right-to-left script. */
const rightward = /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u

/** A text with formatting as phones show it; a long text is folded. */
export const Written = memo(({ text }: { text: string }) => {
  const t = useWords(messageWords)
  const [whole, setWhole] = useState(false)
  const at = whole ? null : fold(text)
  if (text === erasedText)
    return (
      <p className={css.written} data-part="written">
        <Erased />
      </p>
    )
  return (
    <div
      className={css.written}
      data-part="written"
      {...(rightward.test(text) && { dir: 'rtl' })}
      data-big={(text.length <= 16 && onlyEmoji.test(text)) || undefined}
    >
      <Blocks text={at === null ? text : `${text.slice(0, at)}…`} />
      {at !== null && (
        <button type="button" className={css.more} data-part="written-more" onClick={() => setWhole(true)}>
          {t('showMore')}
        </button>
      )}
    </div>
  )
})
Written.displayName = 'Written'

/** The text with quotes and lists as WhatsApp shows them. `still`: without links and buttons. */
export function Blocks({ text, still = false }: { text: string; still?: boolean }) {
  return blocks(text).map((block, at) => {
    const key = `${at}`
    if (block.as === 'text') return <Pieces key={key} text={block.text} still={still} />
    if (block.as === 'quote')
      return (
        <blockquote key={key} className={css.quote}>
          <Pieces text={block.text} still={still} />
        </blockquote>
      )
    const List = block.as === 'numbers' ? 'ol' : 'ul'
    return (
      <List key={key} className={css.list}>
        {block.items.map((item, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items of a text have only their place
          <li key={place} value={item.number}>
            <Pieces text={item.text} still={still} />
          </li>
        ))}
      </List>
    )
  })
}

/** The formatted text without links, where nothing may be clicked. */
export const Marked = ({ text }: { text: string }) => <Pieces text={text} still />

const tags = { bold: 'strong', italic: 'em', struck: 's' } as const
const Pieces = ({ text, still = false }: { text: string; still?: boolean }) =>
  pieces(text).map((piece, at) => {
    const key = `${at}`
    if (piece.as === 'plain' || (still && (piece.as === 'number' || piece.as === 'link'))) return piece.text
    if (piece.as === 'code') return <code key={key}>{piece.text}</code>
    if (piece.as === 'number') return <Callable key={key} number={piece.text} />
    if (piece.as === 'link')
      return (
        <a key={key} href={piece.href} target="_blank" rel="noopener noreferrer">
          {piece.text}
        </a>
      )
    const Tag = tags[piece.as]
    return (
      <Tag key={key}>
        <Pieces text={piece.text} still={still} />
      </Tag>
    )
  })
