import { Button } from '@blueprintjs/core'
import { Disable, Edit, Redo, Tick, Trash } from '@blueprintjs/icons'
import { type JSX, memo } from 'react'
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

type Of = { line: PhoneLine; quoted: PhoneLine | undefined; tell: Tell; onStart: (doing: Doing) => void; onPlayed: (id: string) => void }
export const SandboxLine = memo(
  ({ line, quoted, tell, onStart, onPlayed }: Of) => {
    const t = useWords(sandboxWords)
    const { mine, removed, reactions } = line
    return (
      <article className={css.message} data-part="phone-message" data-mine={mine || undefined}>
        <div className={css.bubble}>
          {quoted && !removed && <blockquote>{quoted.body || t('file')}</blockquote>}
          {removed ? (
            <p className={css.gone}>
              <Disable size={12} /> {t('gone')}
            </p>
          ) : (
            <Content line={line} tell={tell} onPlayed={onPlayed} />
          )}
          <p className={css.foot}>
            {line.edited && !removed && <span>{t('edited')}</span>}
            <Time at={line.at} as="hour" />
            {mine && <Mark mark={line.mark} />}
          </p>
          {reactions.length > 0 && (
            <p className={css.reactions} data-part="phone-reactions">
              {reactions.map(({ emoji: one }) => one).join('')}
            </p>
          )}
        </div>
        {!removed && <Tools line={line} tell={tell} onStart={onStart} />}
      </article>
    )
  },
  (a, b) => a.line === b.line && a.quoted === b.quoted,
)
SandboxLine.displayName = 'Line'

function Content({ line, tell, onPlayed }: Pick<Of, 'line' | 'tell' | 'onPlayed'>) {
  const t = useWords(sandboxWords)
  return (
    <>
      <Media line={line} onPlayed={onPlayed} />
      {line.kind === 'call_log' && <p className={css.body}>📞 {t(line.mark === 'rejected' ? 'calledRejected' : 'called')}</p>}
      {line.interactive && <Touch of={line.interactive} onChoose={({ title }) => void tell({ body: title, quotedId: line.id })} />}
      {line.body && !line.interactive && (
        <p className={css.body}>
          <Marked text={line.body} />
        </p>
      )}
    </>
  )
}

/** What the customer can do with a message. */
function Tools({ line, tell, onStart }: Pick<Of, 'line' | 'tell' | 'onStart'>) {
  const t = useWords(sandboxWords)
  return (
    <div className={css.tools}>
      <Reactions line={line} tell={tell} />
      <Tool icon={<Redo />} label={t('reply')} onClick={() => onStart({ what: 'reply', line })} />
      {line.mine && line.kind === 'chat' && <Tool icon={<Edit />} label={t('edit')} onClick={() => onStart({ what: 'edit', line })} />}
      {line.mine && <Tool icon={<Trash />} label={t('remove')} onClick={() => void tell({ deletes: line.id })} />}
    </div>
  )
}

const Tool = ({ icon, label, onClick }: { icon: JSX.Element; label: string; onClick: () => void }) => (
  <Button variant="minimal" size="small" icon={icon} aria-label={label} title={label} onClick={onClick} />
)

function Reactions({ line: { id, reactions }, tell }: Pick<Of, 'line' | 'tell'>) {
  const t = useWords(sandboxWords)
  return (
    <details>
      <summary aria-label={t('react')} title={t('react')}>
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
                void tell({ quotedId: id, reaction: on ? '' : one })
              }}
            >
              {one}
            </button>
          )
        })}
      </div>
    </details>
  )
}

function Mark({ mark }: { mark: string }) {
  const t = useWords(sandboxWords)
  const known = mark === 'read' || mark === 'played' || mark === 'delivered' ? mark : 'sent'
  return (
    <span role="img" aria-label={t(known)} title={t(known)} className={known === 'read' || known === 'played' ? css.seen : undefined}>
      {known === 'sent' ? <Tick size={12} /> : <DoubleTick />}
    </span>
  )
}

function Media({ line: { id, mine, mediaUrl, mime }, onPlayed }: { line: PhoneLine; onPlayed: (id: string) => void }) {
  const t = useWords(sandboxWords)
  if (!mediaUrl) return null
  if (mime?.startsWith('image/')) return <img className={css.picture} data-part="phone-picture" src={mediaUrl} alt="" />
  // biome-ignore lint/a11y/useMediaCaption: a voice note has no captions
  if (mime?.startsWith('audio/')) return <audio controls preload="none" src={mediaUrl} onPlay={() => !mine && onPlayed(id)} />
  // biome-ignore lint/a11y/useMediaCaption: a film from a phone has no captions
  if (mime?.startsWith('video/')) return <video className={css.picture} controls preload="metadata" src={mediaUrl} />
  return (
    <a href={mediaUrl} target="_blank" rel="noreferrer">
      {t('file')}
    </a>
  )
}
