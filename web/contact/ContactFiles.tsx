import { ArrowRight, Document, Media, Music, Video, WarningSign } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { isRiskyFile } from '#domain/file/rules.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useArrival } from '#web/message/bubble/arrival.ts'
import { inboundWords } from '#web/message/bubble/inbound-words.ts'
import { jumpTo } from '#web/ticket/list/Hit.tsx'
import { Readable } from '#web/ui/Erased.tsx'
import { kilobytes } from '#web/ui/files.ts'
import { More } from '#web/ui/More.tsx'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Time } from '#web/ui/Time.tsx'
import css from './ContactFiles.module.css'
import { fileWords } from './file-words.ts'
import { filesOf } from './files.ts'

/** The files of the tickets that the viewer may see, newest first (A-CONTACT-04). */
export function ContactFiles({ contactId, unseen }: { contactId: number; unseen: ReactNode }) {
  const t = useWords(fileWords)
  const of = filesOf(contactId)
  const loaded = useAtomValue(of.first)
  const reload = useSetAtom(of.first.reload)
  const files = useAtomValue(of.files)
  if (loaded.state === 'failed') return <ErrorView error={loaded.error} onRetry={reload} />
  if (loaded.state === 'loading') return <Skeleton rows={3} height={48} />
  if (files.length === 0) return <p className={css.none}>{unseen ?? t('none')}</p>
  return (
    <>
      <ul className={css.list} data-part="contact-files">
        {files.map((one) => (
          <FileRow key={one.id} message={one} />
        ))}
      </ul>
      <More list={of} />
    </>
  )
}

function FileRow({ message }: { message: MessageRow }) {
  const t = useWords(fileWords)
  const tInbound = useWords(inboundWords)
  const language = useLanguage()
  const { mediaUrl, media, mediaType, fromMe, user, contact, ticket, createdAt, isPrivate } = message
  const kind = kindIn(mediaType)
  const name = media?.name || t(kind)
  const sender = user?.name ?? contact?.name
  return (
    <li>
      <a
        className={css.file}
        href={mediaUrl!}
        target="_blank"
        rel="noreferrer"
        title={name}
        {...(kind === 'application' && { download: media?.name ?? '' })}
      >
        <span className={css.picture}>{kind === 'image' ? <Thumbnail url={mediaUrl!} /> : icons[kind]}</span>
        <span className={css.about}>
          <b dir="auto">
            <Readable text={name} />
          </b>
          <small className={css.by}>
            <Time at={createdAt} as="moment" /> · {sender && <bdi>{sender}</bdi>}
            {isPrivate && ` · ${t('internal')}`}
            {media && <span className="nums"> · {kilobytes(media.size, language)}</span>}
          </small>
          {!fromMe && media && isRiskyFile(media) && (
            <small className={css.risky}>
              <WarningSign size={12} /> {tInbound('riskyFile')}
            </small>
          )}
        </span>
      </a>
      <Link
        className={css.jump}
        href={`/tickets/${ticket.uuid}`}
        aria-label={t('jumpOf', { name })}
        title={t('jump')}
        onClick={() => void jumpTo(ticket.id, message.id)}
      >
        <ArrowRight />
      </Link>
    </li>
  )
}

/** A picture that cannot be loaded shows the icon of pictures. */
function Thumbnail({ url }: { url: string }) {
  const { turn, state, handlers } = useArrival()
  if (state === 'failed') return <Media size={20} />
  return <img key={turn} src={url} alt="" loading="lazy" width={40} height={40} {...handlers} />
}

type Kind = 'image' | 'audio' | 'video' | 'application'
const kindIn = (mediaType: string): Kind =>
  mediaType === 'interactiveMessage' ? 'image' : ((['image', 'audio', 'video'] as const).find((one) => one === mediaType) ?? 'application')
const icons = { audio: <Music size={20} />, video: <Video size={20} />, application: <Document size={20} /> }
