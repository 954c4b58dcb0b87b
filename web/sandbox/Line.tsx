import { Button } from '@blueprintjs/core'
import { Disable, Edit, Redo, Tick, Trash } from '@blueprintjs/icons'
import { memo } from 'react'
import type { PhoneLine } from '#domain/sandbox/contract.ts'
import { useWords } from '#web/i18n.ts'
import { Touch } from '#web/interactive/Touch.tsx'
import { Marked } from '#web/message/bubble/Written.tsx'
import { DoubleTick } from '#web/ui/DoubleTick.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Doing, Tell } from './atoms.ts'
import css from './Line.module.css'
import { sandboxWords } from './words.ts'

const emoji = ['👍', '❤️', '😂', '😮', '🙏']

type Of = { line: PhoneLine; quoted: PhoneLine | undefined; tell: Tell; start: (doing: Doing) => void; played: (id: string) => void }
export const Line = memo(
  ({ line, quoted, tell, start, played }: Of) => {
    const say = useWords(sandboxWords)
    const { mine, removed, reactions } = line
    return (
      <article className={css.message} data-part="phone-message" data-mine={mine || undefined}>
        <div className={css.bubble}>
          {quoted && !removed && <blockquote>{quoted.body || say('file')}</blockquote>}
          {removed ? (
            <p className={css.gone}>
              <Disable size={12} /> {say('gone')}
            </p>
          ) : (
            <>
              <Media line={line} played={played} />
              {line.kind === 'call_log' && <p className={css.body}>📞 {say(line.mark === 'rejected' ? 'calledRejected' : 'called')}</p>}
              {line.interactive && <Touch of={line.interactive} onChoose={({ title }) => void tell({ body: title, quotedId: line.id })} />}
              {line.body && !line.interactive && (
                <p className={css.body}>
                  <Marked text={line.body} />
                </p>
              )}
            </>
          )}
          <p className={css.foot}>
            {line.edited && !removed && <span>{say('edited')}</span>}
            <Time at={line.at} as="hour" />
            {mine && <Mark mark={line.mark} />}
          </p>
          {reactions.length > 0 && (
            <p className={css.reactions} data-part="phone-reactions">
              {reactions.map(({ emoji: one }) => one).join('')}
            </p>
          )}
        </div>
        {!removed && (
          <div className={css.tools}>
            <details>
              <summary aria-label={say('react')} title={say('react')}>
                🙂
              </summary>
              <div className={css.emoji}>
                {emoji.map((one) => {
                  const on = reactions.some((known) => known.mine && known.emoji === one)
                  return (
                    <button
                      key={one}
                      type="button"
                      aria-pressed={on}
                      onClick={(event) => {
                        event.currentTarget.closest('details')!.open = false
                        void tell({ quotedId: line.id, reaction: on ? '' : one })
                      }}
                    >
                      {one}
                    </button>
                  )
                })}
              </div>
            </details>
            <Button
              variant="minimal"
              size="small"
              icon={<Redo />}
              aria-label={say('reply')}
              title={say('reply')}
              onClick={() => start({ what: 'reply', line })}
            />
            {mine && line.kind === 'chat' && (
              <Button
                variant="minimal"
                size="small"
                icon={<Edit />}
                aria-label={say('edit')}
                title={say('edit')}
                onClick={() => start({ what: 'edit', line })}
              />
            )}
            {mine && (
              <Button
                variant="minimal"
                size="small"
                icon={<Trash />}
                aria-label={say('remove')}
                title={say('remove')}
                onClick={() => void tell({ deletes: line.id })}
              />
            )}
          </div>
        )}
      </article>
    )
  },
  (a, b) => a.line === b.line && a.quoted === b.quoted,
)
Line.displayName = 'Line'

function Mark({ mark }: { mark: string }) {
  const say = useWords(sandboxWords)
  const known = mark === 'read' || mark === 'played' || mark === 'delivered' ? mark : 'sent'
  return (
    <span role="img" aria-label={say(known)} title={say(known)} className={known === 'read' || known === 'played' ? css.seen : undefined}>
      {known === 'sent' ? <Tick size={12} /> : <DoubleTick />}
    </span>
  )
}

function Media({ line: { id, mine, mediaUrl, mime }, played }: { line: PhoneLine; played: (id: string) => void }) {
  const say = useWords(sandboxWords)
  if (!mediaUrl) return null
  if (mime?.startsWith('image/')) return <img className={css.picture} data-part="phone-picture" src={mediaUrl} alt="" />
  // biome-ignore lint/a11y/useMediaCaption: a voice note has no captions
  if (mime?.startsWith('audio/')) return <audio controls preload="none" src={mediaUrl} onPlay={() => !mine && played(id)} />
  // biome-ignore lint/a11y/useMediaCaption: a film from a phone has no captions
  if (mime?.startsWith('video/')) return <video className={css.picture} controls preload="metadata" src={mediaUrl} />
  return (
    <a href={mediaUrl} target="_blank" rel="noreferrer">
      {say('file')}
    </a>
  )
}
