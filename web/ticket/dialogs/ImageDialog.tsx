import { Button, Overlay2, Spinner } from '@blueprintjs/core'
import { Cross, Download, Refresh } from '@blueprintjs/icons'
import { useRef } from 'react'
import { useWords } from '#web/i18n.ts'
import { useArrival } from '#web/message/bubble/arrival.ts'
import { messageWords } from '#web/message/words.ts'
import { Late } from '#web/ui/states.tsx'
import { uiWords } from '#web/ui/words.ts'
import type { Shown } from './dialog.ts'

export function ImageDialog({ of: { url, name, caption }, close }: Shown<'image'>) {
  const say = useWords(messageWords)
  const sayUi = useWords(uiWords)
  const { turn, state, again, handlers } = useArrival()
  const box = useRef<HTMLDivElement>(null!)
  const retry = () => {
    again()
    box.current.focus() // the button that had it goes away
  }
  return (
    <Overlay2 isOpen onClose={close} childRef={box} hasBackdrop>
      <div className="lightbox" ref={box} tabIndex={-1} role="dialog" aria-modal aria-label={caption || name || say('image')}>
        <div className="lightbox-bar">
          <a className="lightbox-save" href={url} download={name} aria-label={name} title={name}>
            <Download />
          </a>
          <Button variant="minimal" autoFocus icon={<Cross />} aria-label={sayUi('close')} onClick={close} />
        </div>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape and the button do the same */}
        <figure onClick={({ target, currentTarget }) => target === currentTarget && close()}>
          {state === 'failed' ? (
            <Button size="large" icon={<Refresh />} text={say('pictureFailed')} onClick={retry} />
          ) : (
            <img key={turn} src={url} alt={caption || say('image')} {...handlers} />
          )}
          {state === 'coming' && (
            <Late>
              <Spinner aria-label={sayUi('loading')} />
            </Late>
          )}
          {caption !== '' && <figcaption>{caption}</figcaption>}
        </figure>
      </div>
    </Overlay2>
  )
}
