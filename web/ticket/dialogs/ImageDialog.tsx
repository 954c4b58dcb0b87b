import { Button, Overlay2 } from '@blueprintjs/core'
import { Cross, Download } from '@blueprintjs/icons'
import { useRef } from 'react'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { uiWords } from '#web/ui/words.ts'
import type { Shown } from './Dialogs.tsx'

export function ImageDialog({ of: { url, name, caption }, close }: Shown<'image'>) {
  const say = useWords(messageWords)
  const sayUi = useWords(uiWords)
  const box = useRef<HTMLDivElement>(null!)
  return (
    <Overlay2 isOpen onClose={close} childRef={box} hasBackdrop>
      <div className="lightbox" ref={box} role="dialog" aria-modal aria-label={caption || name || say('image')}>
        <div className="lightbox-bar">
          <a className="lightbox-save" href={url} download={name} aria-label={name} title={name}>
            <Download />
          </a>
          <Button variant="minimal" autoFocus icon={<Cross />} aria-label={sayUi('close')} onClick={close} />
        </div>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape and the button do the same */}
        <figure onClick={({ target, currentTarget }) => target === currentTarget && close()}>
          <img src={url} alt={caption || say('image')} />
          {caption !== '' && <figcaption>{caption}</figcaption>}
        </figure>
      </div>
    </Overlay2>
  )
}
