import { Button, Spinner } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight, Cross, Download, Refresh, ZoomIn, ZoomOut } from '@blueprintjs/icons'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { threadOf } from '#web/message/atoms.ts'
import { useArrival } from '#web/message/bubble/arrival.ts'
import { messageWords } from '#web/message/words.ts'
import { store } from '#web/session.ts'
import { lastLine } from '#web/ticket/list/card.ts'
import { Overlay } from '#web/ui/Overlay.tsx'
import { Late } from '#web/ui/states.tsx'
import { uiWords } from '#web/ui/words.ts'
import type { DialogProps } from './dialog.ts'
import css from './ImageDialog.module.css'

type Picture = { messageId: number; url: string; name: string; caption: string }

/** The loaded pictures of the thread. Reading them joins no room, so it records no access. */
function picturesOf({ ticketId, ...one }: DialogProps<'image'>['of']): Picture[] {
  const list = threadOf(ticketId)
  const all = store.get(list.ids).flatMap((id): Picture[] => {
    const { mediaType, mediaUrl, media, isDeleted, body, fromMe } = store.get(list.row(id))
    if (mediaType !== 'image' || !mediaUrl || isDeleted) return []
    return [{ messageId: id, url: mediaUrl, name: media?.name ?? '', caption: body === media?.name ? '' : lastLine(body, fromMe) }]
  })
  return all.some(({ messageId }) => messageId === one.messageId) ? all : [one]
}
const swipe = 60

export function ImageDialog({ of, onClose }: DialogProps<'image'>) {
  const t = useWords(messageWords)
  const box = useRef<HTMLDivElement>(null!)
  const begun = useRef<number | null>(null)
  const [isZoomed, setIsZoomed] = useState(false)
  const { picture, at, total, hasOlder, go } = usePictures(of, () => setIsZoomed(false))
  const { name, caption, url } = picture
  const toggleZoom = () => setIsZoomed(!isZoomed)
  const handleKeyDown = (event: KeyboardEvent) => {
    const by = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[event.key]
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    void go(by)
  }
  const handlePointerUp = ({ clientX, pointerType }: PointerEvent) => {
    const from = begun.current
    begun.current = null
    if (isZoomed) return // the pointer moves the enlarged picture
    if (pointerType !== 'mouse' && from !== null && Math.abs(clientX - from) > swipe) void go(clientX < from ? 1 : -1)
  }
  return (
    <Overlay onClose={onClose} childRef={box} hasBackdrop>
      <div
        className={css.lightbox}
        data-part="lightbox"
        ref={box}
        tabIndex={-1}
        role="dialog"
        aria-modal
        aria-label={caption || name || t('image')}
        onKeyDown={handleKeyDown}
        onPointerDown={({ clientX }) => {
          begun.current = clientX
        }}
        onPointerUp={handlePointerUp}
      >
        <Bar picture={picture} at={at} total={total} hasOlder={hasOlder} onGo={(by) => void go(by)} onClose={onClose}>
          <Button
            variant="minimal"
            icon={isZoomed ? <ZoomOut /> : <ZoomIn />}
            aria-pressed={isZoomed}
            aria-label={t('zoom')}
            title={t('zoom')}
            onClick={toggleZoom}
          />
        </Bar>
        <Shot key={url} {...{ url, caption, isZoomed }} onZoom={toggleZoom} onClose={onClose} onRetry={() => box.current.focus()} />
      </div>
    </Overlay>
  )
}

/** The pictures of a thread and the shown one. Going back loads older messages until there is another picture. */
function usePictures(of: DialogProps<'image'>['of'], onGo: () => void) {
  const [pictures, setPictures] = useState(() => picturesOf(of))
  const [messageId, setMessageId] = useState(of.messageId)
  const list = threadOf(of.ticketId)
  const at = pictures.findIndex((one) => one.messageId === messageId)
  const hasOlder = store.get(list.hasMore) && pictures.length > 0 && store.get(list.ids).includes(messageId)
  async function go(by: 1 | -1): Promise<void> {
    let all = pictures
    for (let asked = 0; by < 0 && all[0]?.messageId === messageId && hasOlder && store.get(list.hasMore) && asked < 5; asked++) {
      await store.set(list.more)
      all = picturesOf({ ...of, messageId })
    }
    setPictures(all)
    const next = all[all.findIndex((one) => one.messageId === messageId) + by]
    if (!next) return
    setMessageId(next.messageId)
    onGo()
  }
  return { picture: pictures[at]!, at, total: pictures.length, hasOlder, go }
}

type BarProps = {
  picture: Picture
  at: number
  total: number
  hasOlder: boolean
  onGo: (by: 1 | -1) => void
  onClose: () => void
  children: ReactNode
}
function Bar({ picture: { url, name }, at, total, hasOlder, onGo, onClose, children }: BarProps) {
  const t = useWords(messageWords)
  const tUi = useWords(uiWords)
  return (
    <div className={css.bar}>
      {total > 1 && (
        <>
          <span className={`${css.count} nums`} role="status">
            {t('imageOf', { n: at + 1, total })}
          </span>
          <Button
            variant="minimal"
            icon={<ChevronLeft />}
            disabled={at === 0 && !hasOlder}
            aria-label={t('previousImage')}
            title={t('previousImage')}
            onClick={() => onGo(-1)}
          />
          <Button
            variant="minimal"
            icon={<ChevronRight />}
            disabled={at === total - 1}
            aria-label={t('nextImage')}
            title={t('nextImage')}
            onClick={() => onGo(1)}
          />
        </>
      )}
      {children}
      <a className={css.save} href={url} download={name} aria-label={t('saveFile', { name })} title={t('saveFile', { name })}>
        <Download />
      </a>
      <Button variant="minimal" autoFocus icon={<Cross />} aria-label={tUi('close')} onClick={onClose} />
    </div>
  )
}

type ShotProps = { url: string; caption: string; isZoomed: boolean; onZoom: () => void; onClose: () => void; onRetry: () => void }
/** Moves a scrolling element's content with the mouse. A finger does so without help. */
function useMouseScroll() {
  const last = useRef<{ x: number; y: number } | null>(null)
  return {
    onPointerDown: ({ button, pointerType, clientX: x, clientY: y }: PointerEvent) => {
      last.current = button === 0 && pointerType === 'mouse' ? { x, y } : null
    },
    onPointerMove: ({ buttons, clientX: x, clientY: y, currentTarget }: PointerEvent) => {
      if (!last.current || buttons === 0) return
      currentTarget.scrollBy({ left: last.current.x - x, top: last.current.y - y, behavior: 'instant' })
      last.current = { x, y }
    },
  }
}

/** The picture as large as the window, or in its own size after a double click. */
function Shot({ url, caption, isZoomed, onZoom, onClose, onRetry }: ShotProps) {
  const t = useWords(messageWords)
  const tUi = useWords(uiWords)
  const { turn, state, again, handlers } = useArrival()
  const scrollHandlers = useMouseScroll()
  const handleRetry = () => {
    again()
    onRetry() // the focused button disappears
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape and the button do the same
    <figure
      data-zoomed={isZoomed || undefined}
      onClick={({ target, currentTarget }) => target === currentTarget && !isZoomed && onClose()}
      {...scrollHandlers}
    >
      {state === 'failed' ? (
        <Button size="large" icon={<Refresh />} text={t('pictureFailed')} onClick={handleRetry} />
      ) : (
        <img key={turn} src={url} alt={caption || t('image')} draggable={false} onDoubleClick={onZoom} {...handlers} />
      )}
      {state === 'coming' && (
        <Late>
          <Spinner aria-label={tUi('loading')} />
        </Late>
      )}
      {caption !== '' && <figcaption dir="auto">{caption}</figcaption>}
    </figure>
  )
}
