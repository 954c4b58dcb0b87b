import { Document as DocumentIcon, Download, Globe, MapMarker, Phone, Refresh, WarningSign } from '@blueprintjs/icons'
import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { leavesAs } from '#domain/channel/rules.ts'
import { isRiskyFile } from '#domain/file/rules.ts'
import type { Interactive } from '#domain/interactive/rules.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import { place } from '#domain/message/rules.ts'
import { erasedText } from '#domain/text/rules.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { Leaves } from '#web/interactive/Leaves.tsx'
import { Touch } from '#web/interactive/Touch.tsx'
import { useWay } from '#web/interactive/way.ts'
import { messageWords } from '#web/message/words.ts'
import { useSettings } from '#web/session.ts'
import { dialogAtom } from '#web/ticket/atoms.ts'
import { lastLine } from '#web/ticket/list/card.ts'
import { Readable } from '#web/ui/Erased.tsx'
import { kilobytes } from '#web/ui/files.ts'
import { useArrival } from './arrival.ts'
import css from './Body.module.css'
import { Cards } from './Cards.tsx'
import { inboundWords } from './inbound-words.ts'
import { Player } from './Player.tsx'
import { video } from './parts.ts'
import { Whole } from './Whole.tsx'
import { Written } from './Written.tsx'

/** The content of a message, by its kind. */
export function Body({ message, ticketId }: { message: MessageRow; ticketId: number }) {
  const t = useWords(messageWords)
  const tInbound = useWords(inboundWords)
  const settings = useSettings()
  const { mediaType, body, isDeleted, deletedBy, mediaUrl } = message
  if (isDeleted) {
    const kept = body !== '' && !(deletedBy === 'contact' && settings.lgpdDeleteMessage === 'enabled')
    return (
      <>
        <p className={css.gone}>{t(deletedBy === 'contact' ? 'deletedByContact' : 'deletedByUs')}</p>
        {kept && deletedBy === 'contact' && (
          <p className={css.was}>
            <Readable text={body} />
          </p>
        )}
      </>
    )
  }
  if (body === erasedText && !mediaUrl) return <Written text={body} />
  if (message.undecryptable) return <p className={css.gone}>{t('undecryptable')}</p>
  switch (mediaType) {
    case 'image':
      return <Image message={message} ticketId={ticketId} />
    case 'audio':
      return <Recording message={message} />
    case 'video':
      return <Video message={message} />
    case 'application':
      return <File message={message} />
    case 'locationMessage':
      return <Place body={body} />
    case 'contactMessage':
      return (
        <>
          <Cards text={message.vCard ?? body} />
          <Whole message={message} words={tInbound('allContacts')} />
        </>
      )
    case 'unsupported':
      return (
        <>
          {(body === '' || message.about?.of !== 'kind') && <p className={css.gone}>{t('unsupported')}</p>}
          {body !== '' && <Written text={body} />}
        </>
      )
    case 'interactiveMessage':
      return message.interactive ? (
        <>
          {mediaUrl && <Image message={{ ...message, body: '' }} ticketId={ticketId} />}
          <Left of={message.interactive} message={message} />
        </>
      ) : (
        <Written text={body} />
      )
    case 'call_log':
      return (
        <p className={css.call}>
          <Phone size={14} /> {body || t('call')}
        </p>
      )
    default:
      return (
        <>
          <Written text={body} />
          <Embedded text={body} />
          <Whole message={message} words={tInbound('wholeText')} />
        </>
      )
  }
}

/** An interactive message as its connection sent it. Where phones show only the text, so does this. */
function Left({ of, message: { ticket, body } }: { of: Interactive; message: MessageRow }) {
  const as = leavesAs(of, useWay(ticket))
  if (as === 'words') return <Written text={body} />
  return as === 'touch' || as === 'both' ? <Touch of={of} /> : <Leaves of={of} as={as} />
}

function Missing({ message }: { message: MessageRow }) {
  const t = useWords(messageWords)
  return (
    <>
      <p className={css.gone}>{t('mediaMissing')}</p>
      <Caption message={message} />
    </>
  )
}
const Caption = ({ message: { body, media } }: { message: MessageRow }) =>
  body.trim() === '' || body === media?.name ? null : <Written text={body} />

function frame(media: MessageRow['media'], most = 300) {
  const { width, height } = media ?? { width: null, height: null }
  if (!width || !height) return { width: 240, height: 180 }
  const scale = Math.min(1, most / width, 340 / height)
  return { width: Math.max(96, Math.round(width * scale)), height: Math.max(72, Math.round(height * scale)) }
}
function Image({ message, ticketId }: { message: MessageRow; ticketId: number }) {
  const t = useWords(messageWords)
  const setDialog = useSetAtom(dialogAtom)
  const { turn, state, again, handlers } = useArrival()
  const { mediaUrl, media, body, fromMe } = message
  if (!mediaUrl) return <Missing message={message} />
  const size = frame(media)
  const caption = body === media?.name ? '' : lastLine(body, fromMe)
  return (
    <>
      {state === 'failed' ? (
        <button
          type="button"
          className={`${css.image} ${css.broken}`}
          data-part="bubble-broken"
          style={{ width: size.width, minHeight: size.height }}
          onClick={again}
        >
          <Refresh /> {t('pictureFailed')}
        </button>
      ) : (
        <button
          type="button"
          className={css.image}
          aria-label={t('openImage')}
          style={{ width: size.width, aspectRatio: `${size.width} / ${size.height}` }}
          onClick={() => setDialog({ kind: 'image', messageId: message.id, ticketId, url: mediaUrl, name: media?.name ?? '', caption })}
        >
          <img key={turn} src={mediaUrl} alt={caption || t('image')} width={size.width} height={size.height} loading="lazy" {...handlers} />
        </button>
      )}
      <Caption message={message} />
    </>
  )
}
function Recording({ message }: { message: MessageRow }) {
  const { mediaUrl, media, fromMe } = message
  if (!mediaUrl) return <Missing message={message} />
  return (
    <>
      <Player url={mediaUrl} seconds={media?.seconds ?? null} us={fromMe} />
      <Caption message={message} />
    </>
  )
}
function Video({ message }: { message: MessageRow }) {
  const { mediaUrl, media } = message
  const [voice, setVoice] = useState(false)
  if (!mediaUrl) return <Missing message={message} />
  if (voice) return <Recording message={message} />
  const size = frame(media, 320)
  return (
    <>
      <div className={css.video} style={{ width: size.width, aspectRatio: `${size.width} / ${size.height}` }}>
        {/* biome-ignore lint/a11y/useMediaCaption: a customer's own recording has no captions */}
        <video
          src={mediaUrl}
          controls
          preload="metadata"
          // a voice recording in a video container
          onLoadedMetadata={({ currentTarget }) => currentTarget.videoWidth === 0 && setVoice(true)}
        />
      </div>
      <Caption message={message} />
    </>
  )
}
function File({ message }: { message: MessageRow }) {
  const tInbound = useWords(inboundWords)
  const { mediaUrl, media, fromMe } = message
  const language = useLanguage()
  if (!mediaUrl) return <Missing message={message} />
  return (
    <>
      <a className={css.file} href={mediaUrl} download={media?.name} target="_blank" rel="noreferrer">
        <DocumentIcon size={20} />
        <span>
          <b>
            <Readable text={media?.name ?? message.body} />
          </b>
          {media && <small className="nums">{kilobytes(media.size, language)}</small>}
        </span>
        <Download size={14} />
      </a>
      {!fromMe && media && isRiskyFile(media) && (
        <p className={css.risky}>
          <WarningSign size={14} /> {tInbound('riskyFile')}
        </p>
      )}
      <Caption message={message} />
    </>
  )
}
/** R-INBOX-21. */
function Place({ body }: { body: string }) {
  const t = useWords(messageWords)
  const { picture, link, text } = place(body)
  const [broken, setBroken] = useState(false)
  const inside = (
    <>
      {picture && !broken ? (
        <img src={picture} alt="" width={260} height={130} onError={() => setBroken(true)} />
      ) : (
        <span className={css.map}>
          <MapMarker size={26} />
        </span>
      )}
      <span className={css.placeText}>{text || t('location')}</span>
    </>
  )
  return link ? (
    <a className={css.place} href={link} target="_blank" rel="noreferrer" aria-label={`${t('location')} ${text}`}>
      {inside}
    </a>
  ) : (
    <span className={css.place}>{inside}</span>
  )
}
/** R-INBOX-22; nothing loads from the provider before the click. */
function Embedded({ text }: { text: string }) {
  const t = useWords(messageWords)
  const [playing, setPlaying] = useState(false)
  const id = video(text)
  if (!id) return null
  return playing ? (
    <iframe
      className={css.embed}
      src={`https://www.youtube-nocookie.com/embed/${id}?autoplay=1`}
      title={t('video')}
      allow="autoplay; encrypted-media; picture-in-picture"
      allowFullScreen
    />
  ) : (
    <button type="button" className={`${css.embed} ${css.embedOff}`} onClick={() => setPlaying(true)}>
      <Globe size={16} /> {t('playVideo')}
    </button>
  )
}
