import { type ReactNode, useState } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import { place } from '#domain/message/rules.ts'
import { erasedText } from '#domain/text/rules.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { cards, linesOf } from '#domain/vcard/rules.ts'
import { useContactName } from '#web/contact/ContactName.tsx'
import { formattedNumber } from '#web/contact/phone.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { aboutWords } from '#web/message/bubble/About.tsx'
import { brief } from '#web/message/bubble/in-words.ts'
import { markOf } from '#web/message/bubble/Marks.tsx'
import { duration } from '#web/message/bubble/parts.ts'
import { pieces } from '#web/message/bubble/pieces.ts'
import { useReason } from '#web/message/bubble/reason.ts'
import { messageWords } from '#web/message/words.ts'
import { useSettings } from '#web/session.ts'
import { Erased, Readable } from '#web/ui/Erased.tsx'
import { kilobytes } from '#web/ui/files.ts'
import { date, hour } from '#web/ui/moment.ts'
import paper from './Paper.module.css'
import { paperWords } from './words.ts'

type Of = { message: MessageRow; ticket: TicketRow; patient: boolean; onPicture: () => void }

/** One message on paper. Details that a bubble shows after a click are printed. */
export function PrintedMessage({ message, ticket, patient, onPicture }: Of) {
  const t = useWords(messageWords)
  const tPaper = useWords(paperWords)
  const tAbout = useWords(aboutWords)
  const reason = useReason()
  const nameOf = useContactName()
  const language = useLanguage()
  const { fromMe, isPrivate, isDeleted, isEdited, isForwarded, user, contact, quotedMsg, reactions, failed, uncertain, createdAt } = message
  const who = fromMe ? (user?.name ?? t(message.elsewhere ? 'onPhone' : 'system')) : nameOf(contact?.name ?? ticket.contact.name)
  const marks = [
    ...(isForwarded ? [t('forwarded')] : []),
    ...(isEdited && !isDeleted ? [t('edited')] : []),
    ...(fromMe && !isPrivate && !isDeleted ? [t(markOf({ ack: message.ack, failed: failed !== null, uncertain }))] : []),
    ...(failed !== null ? [reason(failed)] : []),
    ...reactions.map(({ emoji, from, name }) =>
      name === null ? t(from === 'us' ? 'reactedUs' : 'reactedThem', { emoji }) : t('reactedBy', { name, emoji }),
    ),
  ]
  return (
    <article className={paper.message} data-us={fromMe || undefined} data-private={isPrivate || undefined}>
      <p className={paper.by}>
        <b dir="auto">{who}</b> · {date(createdAt, language)} {hour(createdAt, language)}
        {isPrivate && ` · ${tPaper('internal')}`}
        {marks.length > 0 && ` · ${marks.join(' · ')}`}
      </p>
      {quotedMsg && !isDeleted && (
        <blockquote>
          {tPaper('replyTo', { name: quotedMsg.fromMe ? t('we') : nameOf(quotedMsg.contact?.name ?? ticket.contact.name) })}:{' '}
          {quotedMsg.isDeleted ? t('deletedByUs') : <Readable text={brief(quotedMsg.mediaType, quotedMsg.body)} />}
        </blockquote>
      )}
      {message.about && !isDeleted && (
        <blockquote>
          {[tAbout(message.about.of), message.about.title, message.about.text].filter((part) => part !== '').join(' · ')}
        </blockquote>
      )}
      <Words message={message} patient={patient} onPicture={onPicture} />
    </article>
  )
}

function Words({ message, patient, onPicture }: Omit<Of, 'ticket'>) {
  const t = useWords(messageWords)
  const tPaper = useWords(paperWords)
  const settings = useSettings()
  const language = useLanguage()
  const { mediaType, body, isDeleted, deletedBy, mediaUrl, media, vCard } = message
  if (isDeleted) {
    const kept = deletedBy === 'contact' && body !== '' && settings.lgpdDeleteMessage !== 'enabled'
    return (
      <>
        <p className={paper.gone}>{t(deletedBy === 'contact' ? 'deletedByContact' : 'deletedByUs')}</p>
        {kept && <Text text={body} />}
      </>
    )
  }
  const caption = body.trim() !== '' && body !== media?.name && <Text text={body} />
  const file = (kind: string | null, more: string | null) => (
    <>
      <p>{[kind, media?.name ?? (body || null), more, !mediaUrl && tPaper('fileGone')].filter(Boolean).join(' · ')}</p>
      {caption}
    </>
  )
  if (body === erasedText && !mediaUrl)
    return (
      <p>
        <Erased />
      </p>
    )
  if (message.undecryptable) return <Text text={t('undecryptable')} />
  switch (mediaType) {
    case 'image':
      return mediaUrl ? (
        <>
          <Picture url={mediaUrl} name={media?.name ?? t('image')} patient={patient} onDone={onPicture} />
          {caption}
        </>
      ) : (
        file(t('image'), null)
      )
    case 'audio':
      return file(tPaper('audio'), media?.seconds ? duration(media.seconds) : null)
    case 'video':
      return file(t('video'), media?.seconds ? duration(media.seconds) : null)
    case 'application':
      return file(null, media && kilobytes(media.size, language))
    case 'locationMessage': {
      const { text, link } = place(body)
      return <Text text={[`${t('location')}:`, text, link].filter(Boolean).join(' ')} />
    }
    case 'contactMessage': {
      const people = cards(vCard ?? body).map((card) => linesOf(card).map(formattedNumber).join(' '))
      return <Text text={`${t('contactCard')}: ${people.join(' · ')}`} />
    }
    case 'unsupported':
      return <Text text={[t('unsupported'), body].filter(Boolean).join('\n')} />
    case 'call_log':
      return <Text text={body || t('call')} />
    default:
      return <Text text={body} />
  }
}

/** Shows the file name if the picture does not load in time. */
function Picture({ url, name, patient, onDone }: { url: string; name: string; patient: boolean; onDone: () => void }) {
  const t = useWords(paperWords)
  const [state, setState] = useState<'waits' | 'there' | 'failed'>('waits')
  const done = (how: 'there' | 'failed') => () => {
    setState(how)
    onDone()
  }
  return (
    <>
      {state !== 'failed' && (
        <img src={url} alt={name} hidden={state === 'waits' && !patient} onLoad={done('there')} onError={done('failed')} />
      )}
      {(state === 'failed' || (state === 'waits' && !patient)) && (
        <p>
          {name} · {t('pictureLate')}
        </p>
      )}
    </>
  )
}

const Text = ({ text }: { text: string }) => (
  <p className={paper.body} dir="auto">
    <Formatted text={text} />
  </p>
)
const tags = { bold: 'strong', italic: 'em', struck: 's', code: 'code' } as const
function Formatted({ text }: { text: string }): ReactNode {
  return pieces(text).map((piece, at) => {
    if (piece.as === 'plain' || piece.as === 'number' || piece.as === 'link') return piece.text
    const Tag = tags[piece.as]
    const key = `${at}`
    return <Tag key={key}>{piece.as === 'code' ? piece.text : <Formatted text={piece.text} />}</Tag>
  })
}
