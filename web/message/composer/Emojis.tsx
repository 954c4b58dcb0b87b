import { EmojiPicker } from 'frimousse'
import { useAtom } from 'jotai'
import { type KeyboardEvent, useState } from 'react'
import { useLanguage, useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import css from './Emojis.module.css'
import { emojiGroup } from './emoji-groups.ts'
import { recentsAtom } from './recents.ts'

/** The emoji data has no Turkish names. */
const locales = { 'pt-BR': 'pt', en: 'en', es: 'es', tr: 'en' } as const

/** Emoji with search, groups and recently used ones. Arrow keys work from the search field. */
export function Emojis({ onChoose, onClose }: { onChoose: (emoji: string) => void; onClose?: () => void }) {
  const t = useWords(messageWords)
  const language = useLanguage()
  const [recents, setRecents] = useAtom(recentsAtom)
  const [initialRecents] = useState(recents) // a new choice does not reorder the open list
  const choose = (emoji: string) => {
    setRecents(emoji)
    onChoose(emoji)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !onClose) return
    event.stopPropagation()
    onClose()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a panel to choose from, not part of a form
    <div role="group" aria-label={t('emojis')} className={css.emojis} onKeyDown={handleKeyDown}>
      <EmojiPicker.Root
        className={css.root}
        locale={locales[language]}
        emojibaseUrl={`${location.origin}/emojibase`}
        columns={9}
        onEmojiSelect={({ emoji }) => choose(emoji)}
      >
        <EmojiPicker.Search className={css.search} autoFocus aria-label={t('findEmoji')} placeholder={t('findEmoji')} />
        {initialRecents.length > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: buttons that belong together, not part of a form
          <div className={css.recent} role="group" aria-label={t('recentEmojis')}>
            {initialRecents.map((emoji) => (
              <button key={emoji} type="button" onClick={() => choose(emoji)}>
                {emoji}
              </button>
            ))}
          </div>
        )}
        <EmojiPicker.Viewport className={css.view}>
          <EmojiPicker.Loading className={css.none}>{t('emojisLoading')}</EmojiPicker.Loading>
          <EmojiPicker.Empty className={css.none}>{({ search }) => t('noEmoji', { search })}</EmojiPicker.Empty>
          <EmojiPicker.List
            components={{
              CategoryHeader: ({ category, ...props }) => (
                <div {...props} className={css.group}>
                  {emojiGroup(category.label, language)}
                </div>
              ),
              Row: ({ children, ...props }) => (
                // The library counts from 0, which ARIA does not allow, and finds its rows by that number.
                <div {...props} {...{ 'aria-rowindex': props['aria-rowindex'] || undefined }} className={css.row}>
                  {children}
                </div>
              ),
              Emoji: ({ emoji, ...props }) => (
                <button
                  {...props}
                  {...{ 'aria-colindex': (props['aria-colindex'] ?? 0) + 1 }}
                  type="button"
                  title={emoji.label}
                  aria-label={emoji.label}
                >
                  {emoji.emoji}
                </button>
              ),
            }}
          />
        </EmojiPicker.Viewport>
      </EmojiPicker.Root>
    </div>
  )
}
