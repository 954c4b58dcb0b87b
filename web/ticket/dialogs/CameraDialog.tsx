import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Camera as CameraIcon, Tick } from '@blueprintjs/icons'
import { useRef, useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { attach } from '#web/message/composer/attach.ts'
import { noticesOf } from '#web/message/composer/Notices.tsx'
import { filesOf } from '#web/message/sending.ts'
import { messageWords } from '#web/message/words.ts'
import { store } from '#web/session.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useObjectUrl } from '#web/ui/objectUrl.ts'
import { Problem } from '#web/ui/Problem.tsx'
import { uiWords } from '#web/ui/words.ts'
import css from './CameraDialog.module.css'
import { cameraWords } from './camera-words.ts'
import type { DialogProps } from './dialog.ts'
import { type Camera, photoOf, useCamera } from './useCamera.ts'

/** Takes a photo and puts it into the draft of the ticket for which the dialog was opened (A-COMP-20). */
export function CameraDialog({ of: { ticket, mode }, onClose }: DialogProps<'camera'>) {
  const t = useWords(cameraWords)
  const tUi = useWords(uiWords)
  const tMessage = useWords(messageWords)
  const [photo, setPhoto] = useState<File | null>(null)
  const [attempt, setAttempt] = useState(0)
  const camera = useCamera(photo === null ? attempt : null)
  const video = useRef<HTMLVideoElement>(null)
  const open = () => {
    setPhoto(null)
    setAttempt(attempt + 1)
  }
  const keepVideo = (element: HTMLVideoElement | null) => {
    video.current = element
  }
  const take = async () => setPhoto(video.current && (await photoOf(video.current)))
  const use = () => {
    const refuse = (text: string) => store.set(noticesOf(ticket.id), (all) => [...all, { text }])
    if (photo) void attach([photo], (change) => store.set(filesOf(ticket.id, mode), change), refuse)
    onClose()
  }
  return (
    <Dialog isOpen title={t('title', { name: ticket.contact.name })} onClose={onClose}>
      <DialogBody>{photo ? <Taken photo={photo} /> : <Live camera={camera} onVideo={keepVideo} />}</DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={tUi('cancel')} onClick={onClose} />
            {photo && <Button icon={<CameraIcon />} text={t('retake')} onClick={open} />}
            {!photo && camera.state === 'failed' && <Button text={tMessage('again')} onClick={open} />}
            <Button
              key={photo ? 'use' : camera.state}
              autoFocus
              intent="primary"
              icon={photo ? <Tick /> : <CameraIcon />}
              text={t(photo ? 'use' : 'take')}
              disabled={!photo && camera.state !== 'live'}
              onClick={() => (photo ? use() : void take())}
            />
          </>
        }
      />
    </Dialog>
  )
}

function Live({ camera, onVideo }: { camera: Camera; onVideo: (element: HTMLVideoElement | null) => void }) {
  const t = useWords(cameraWords)
  const stream = camera.state === 'live' ? camera.stream : null
  const show = (element: HTMLVideoElement | null) => {
    if (element && element.srcObject !== stream) element.srcObject = stream
    onVideo(element)
  }
  if (camera.state === 'failed') return <Problem>{t(camera.why)}</Problem>
  return (
    <div className={css.frame} data-part="camera" data-state={camera.state}>
      <video ref={show} autoPlay muted playsInline aria-label={t('preview')} />
      {camera.state === 'waiting' && <p role="status">{t('waiting')}</p>}
    </div>
  )
}

function Taken({ photo }: { photo: File }) {
  const t = useWords(cameraWords)
  const url = useObjectUrl(photo)
  return <div className={css.frame}>{url && <img src={url} alt={t('photo')} />}</div>
}
