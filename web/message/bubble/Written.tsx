import { memo } from 'react'
import { pieces } from './parts.ts'

const onlyEmoji = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|\s){1,12}$/u

export const Written = memo(({ text }: { text: string }) => (
  <p className="written" data-big={(text.length <= 16 && onlyEmoji.test(text)) || undefined}>
    {pieces(text).map((piece, at) => {
      const key = `${at}`
      if (piece.as === 'bold') return <strong key={key}>{piece.text}</strong>
      if (piece.as === 'italic') return <em key={key}>{piece.text}</em>
      if (piece.as === 'struck') return <s key={key}>{piece.text}</s>
      if (piece.as === 'code') return <code key={key}>{piece.text}</code>
      if (piece.as === 'link')
        return (
          <a key={key} href={piece.text} target="_blank" rel="noreferrer">
            {piece.text}
          </a>
        )
      return piece.text
    })}
  </p>
))
Written.displayName = 'Written'
