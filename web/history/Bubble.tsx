import { Disable, Edit, Lock, WarningSign } from '@blueprintjs/icons'
import { type Translate, useWords } from '#web/i18n.ts'
import { About } from '#web/message/bubble/About.tsx'
import { brief, inWords } from '#web/message/bubble/in-words.ts'
import { Marks } from '#web/message/bubble/Marks.tsx'
import { useReason } from '#web/message/bubble/reason.ts'
import { messageWords } from '#web/message/words.ts'
import { Time } from '#web/ui/Time.tsx'
import css from './Bubble.module.css'
import type { LoadedHistory } from './records.ts'
import { actor } from './tell.ts'
import type { Lost, NoteLine, ReplayLine } from './then.ts'
import { historyWords } from './words.ts'

export function Bubble({ line, ticketHistory, quoted }: { line: ReplayLine; ticketHistory: LoadedHistory; quoted?: ReplayLine }) {
  const t = useWords(historyWords)
  const tMessage = useWords(messageWords)
  const reason = useReason()
  const gone = line.removed !== null
  const reacted = Object.entries(line.reactions).map(([side, { emoji, name }]) => {
    if (side === 'us' && name === '') return tMessage('reactedUs', { emoji })
    const who = name || (side === 'contact' ? ticketHistory.ticket.contact : tMessage('participant'))
    return tMessage('reactedBy', { name: who, emoji })
  })
  return (
    <article
      className={css.bubble}
      data-part="replay-message"
      data-from={line.from}
      data-private={line.private || undefined}
      data-gone={gone || undefined}
    >
      <p className={css.by}>
        {line.private && <Lock size={12} />} {actor(line.by, t)}
        {line.private && ` · ${t('privateNote')}`}
        {line.forwarded && ` · ${t('forwarded')}`}
        {line.elsewhere && ` · ${tMessage('onPhone')}`}
      </p>
      {quoted && (
        <blockquote className={css.quoted}>
          <strong>{actor(quoted.by, t)}</strong>
          <span>
            {(quoted.body && brief(quoted.kind, quoted.body)) ||
              quoted.media?.name ||
              (quoted.lost && t(quoted.lost === 'erased' ? 'erased' : `fault_${quoted.lost}`))}
          </span>
        </blockquote>
      )}
      {line.quote && (
        <blockquote className={css.quoted}>
          <strong>
            {line.quote.from === 'us' ? tMessage('we') : ticketHistory.ticket.contact} · {t('earlierTicket')}
          </strong>
          <span>{brief(line.quote.kind, line.quote.body)}</span>
        </blockquote>
      )}
      {line.about && <About of={line.about} />}
      {line.media && <Media media={line.media} kind={line.kind} ticketHistory={ticketHistory} />}
      {(line.undecryptable || line.kind === 'unsupported') && (
        <p className={css.erased}>{tMessage(line.undecryptable ? 'undecryptable' : 'unsupported')}</p>
      )}
      {!line.undecryptable && <Words text={spoken(line, tMessage)} lost={line.lost} />}
      {line.before.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: earlier texts are only appended
        <p key={at} className={css.note}>
          <Edit size={12} /> {t('edited', { before: text ?? t('fault_words') })}
        </p>
      ))}
      {gone && (
        <p className={`${css.note} ${css.bad}`}>
          <Disable size={12} /> {t(line.removed === 'us' ? 'removedUs' : 'removedContact')}
        </p>
      )}
      {(line.failed || line.uncertain) && (
        <p className={`${css.note} ${css.bad}`}>
          <WarningSign size={12} />{' '}
          {line.failed ? <span title={line.failed}>{`${t('failed')}: ${reason(line.failed)}`}</span> : t('uncertain')}
        </p>
      )}
      {reacted.length > 0 && (
        <p className={css.note} data-part="replay-reacted">
          {reacted.join(' · ')}
        </p>
      )}
      <p className={css.foot}>
        <Time at={line.at} as="hour" />
        {line.from === 'us' && !line.private && <Marks ack={line.ack} failed={line.failed !== null} uncertain={line.uncertain} />}
      </p>
    </article>
  )
}

/** The text of the message without the signature, which is shown above it. */
function spoken({ kind, body, from, media }: ReplayLine, t: Translate<keyof typeof messageWords>): string | null {
  if (body === null || body === media?.name) return null
  return inWords({ mediaType: kind, body, fromMe: from === 'us' }) || (kind === 'call_log' ? t('call') : null)
}

/** The text, or why it cannot be read: a lawful erasure or an alarm. */
function Words({ text, lost }: { text: string | null; lost: Lost }) {
  const t = useWords(historyWords)
  return (
    <>
      {text && <p className={css.body}>{text}</p>}
      {lost === 'erased' && <p className={css.erased}>{t('erased')}</p>}
      {lost && lost !== 'erased' && (
        <p className={`${css.erased} ${css.lost}`} role="alert">
          <WarningSign size={12} /> {t(lost === 'key' ? 'keyMissing' : 'wordsAltered')}
        </p>
      )}
    </>
  )
}

type MediaOf = { media: NonNullable<ReplayLine['media']>; kind: ReplayLine['kind']; ticketHistory: LoadedHistory }
function Media({ media, kind, ticketHistory: { mediaUrls, files } }: MediaOf) {
  const t = useWords(historyWords)
  const url = mediaUrls[media.key]
  const bad = files?.bad.find(({ key }) => key === media.key)
  if (bad)
    return (
      <p className={`${css.erased} ${css.lost}`} role="alert">
        <WarningSign size={12} /> {media.name}: {t(bad.gone ? 'notThere' : 'otherBytes')}
      </p>
    )
  if (!url) return <p className={css.file}>{media.name}</p>
  if (media.mime.startsWith('image/') && kind !== 'application')
    return <img className={css.picture} src={url} alt={media.name} loading="lazy" />
  // biome-ignore lint/a11y/useMediaCaption: a customer's recording has no captions
  if (media.mime.startsWith('audio/')) return <audio className={css.audio} controls preload="none" src={url} />
  // biome-ignore lint/a11y/useMediaCaption: a customer's film has no captions
  if (media.mime.startsWith('video/')) return <video className={css.picture} controls preload="metadata" src={url} />
  return (
    <a className={css.file} href={url} target="_blank" rel="noreferrer">
      {media.name}
    </a>
  )
}

export function Note({ note: { by, at, note, lost, removed } }: { note: NoteLine }) {
  const t = useWords(historyWords)
  return (
    <article className={css.bubble} data-part="replay-message" data-note data-gone={removed || undefined}>
      <p className={css.by}>
        <Lock size={12} /> {t('note')} · {actor(by, t)}
      </p>
      <Words text={note} lost={lost} />
      {removed && <p className={css.note}>{t('noteGone')}</p>}
      <p className={css.foot}>
        <Time at={at} as="hour" />
      </p>
    </article>
  )
}
