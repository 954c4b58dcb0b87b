import { Button } from '@blueprintjs/core'
import type { MessageRow } from '#domain/message/contract.ts'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { Drop } from '#web/ticket/list/Drop.tsx'
import css from './Reactions.module.css'

type Of = { of: MessageRow['reactions']; group: boolean; still: boolean }

/** The reactions of both sides. In a group they are counted, and a popover lists the names. */
export function Reactions({ of, group, still }: Of) {
  const t = useWords(messageWords)
  if (!group)
    return (
      <p className={css.reactions} data-part="reactions" title={t('reactions')}>
        {of.map(({ emoji, from }) => (
          <span
            key={from}
            role="img"
            aria-label={t(from === 'us' ? 'reactedUs' : 'reactedThem', { emoji })}
            data-us={from === 'us' || undefined}
          >
            {emoji}
          </span>
        ))}
      </p>
    )
  const people = of.map(({ emoji, from, name }) => ({ emoji, who: from === 'us' ? t('we') : (name ?? t('participant')) }))
  const summary = people.map(({ emoji, who }) => `${emoji} ${who}`).join(', ')
  const each = [...Map.groupBy(of, ({ emoji }) => emoji)]
  const emojis = each.map(([emoji, some]) => (
    <span key={emoji} data-us={some.some(({ from }) => from === 'us') || undefined}>
      {emoji}
      {some.length > 1 && <b className="nums">{some.length}</b>}
    </span>
  ))
  const name = `${t('reactions')}: ${summary}`
  if (still)
    return (
      <p className={css.reactions} data-part="reactions" role="img" aria-label={name} title={summary}>
        {emojis}
      </p>
    )
  return (
    <Drop
      placement="bottom-start"
      content={() => (
        <ul className={css.people} aria-label={t('reactions')} data-part="reacted">
          {people.map(({ emoji, who }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two people may have the same name
            <li key={at}>
              <span>{emoji}</span> <bdi>{who}</bdi>
            </li>
          ))}
        </ul>
      )}
    >
      <Button className={css.reactions!} data-part="reactions" variant="minimal" size="small" aria-label={name} title={summary}>
        {emojis}
      </Button>
    </Drop>
  )
}
