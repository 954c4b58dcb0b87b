import { Button } from '@blueprintjs/core'
import { SendMessage, Trash } from '@blueprintjs/icons'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { duration } from '#web/message/bubble/parts.ts'
import { toast } from '#web/ui/toaster.ts'
import { asNote, oggOf } from './note.ts'
import css from './Recorder.module.css'
import { recorderWords } from './recorder-words.ts'

/** R-AUDIO-01, R-AUDIO-04. */
const least = 10_000
const bits = 128_000
const formats = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4']

type Of = {
  onDone: (file: File | null) => void
  /** It was not sent, and it is long enough to be missed. */
  onLeft: (file: File, how: 'away' | 'cancelled') => void
}
/** Records from the moment it is shown; what is neither sent nor thrown away is left to whoever showed it. */
export function Recorder({ onDone, onLeft }: Of) {
  const say = useWords(recorderWords)
  const [seconds, tick] = useState<number | null>(null)
  const tape = useRef<MediaRecorder | null>(null)
  const wanted = useRef(false)
  const group = useRef<HTMLDivElement>(null)
  const done = useEffectEvent(onDone)
  const left = useEffectEvent(onLeft)
  const warn = useEffectEvent((word: 'tooShort' | 'microphoneDenied' | 'microphoneMissing') =>
    toast(say(word), word === 'tooShort' ? 'warning' : 'danger'),
  )

  useEffect(() => {
    let gone = false
    let timer: ReturnType<typeof setInterval> | undefined
    let stream: MediaStream | undefined
    const begin = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      if (gone) {
        for (const track of stream.getTracks()) track.stop()
        return
      }
      const mimeType = formats.find((format) => MediaRecorder.isTypeSupported(format))
      const recorder = new MediaRecorder(stream, { audioBitsPerSecond: bits, ...(mimeType && { mimeType }) })
      const parts: Blob[] = []
      recorder.ondataavailable = ({ data }) => parts.push(data)
      const stopped = async () => {
        const type = recorder.mimeType.split(';')[0] || 'audio/webm'
        const name = `voz-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.${type.split('/')[1]}`
        const recording = new File(parts, name, { type })
        const long = recording.size >= least
        const file = long ? await asNote(recording) : recording
        if (long && (gone || !wanted.current)) left(file, gone ? 'away' : 'cancelled')
        if (gone) return
        if (wanted.current && !long) warn('tooShort')
        done(wanted.current && long ? file : null)
      }
      recorder.onstop = () => void stopped()
      recorder.start()
      void oggOf().catch(() => undefined)
      tape.current = recorder
      const start = performance.now()
      tick(0)
      timer = setInterval(() => tick((performance.now() - start) / 1000), 250)
    }
    begin().catch((error: unknown) => {
      const denied = error instanceof DOMException && error.name === 'NotAllowedError'
      warn(denied ? 'microphoneDenied' : 'microphoneMissing') // R-AUDIO-02
      if (!gone) done(null)
    })
    return () => {
      gone = true
      clearInterval(timer)
      if (tape.current?.state === 'recording') tape.current.stop()
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
  }, [])

  const begun = seconds !== null
  useEffect(() => {
    if (begun) group.current?.focus() // Enter sends, Escape throws away; a space of somebody who goes on typing does neither
  }, [begun])

  const stop = (send: boolean) => {
    if (tape.current === null) return onDone(null)
    if (tape.current.state === 'inactive') return // it is being made a file of, for what was pressed first
    wanted.current = send
    tape.current.stop()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons that belong together, no part of a form
    <div
      ref={group}
      className={css.recorder}
      role="group"
      tabIndex={-1}
      aria-label={say('recording')}
      onKeyDown={({ key, target, currentTarget }) => {
        if (key === 'Escape') stop(false)
        else if (key === 'Enter' && target === currentTarget && begun) stop(true)
      }}
    >
      <Button
        autoFocus
        variant="minimal"
        icon={<Trash />}
        aria-label={say('cancelRecording')}
        title={say('cancelRecording')}
        onClick={() => stop(false)}
      />
      <span className={css.dot} aria-hidden />
      <span className="nums" role="timer">
        {seconds === null ? say('microphoneWait') : duration(seconds)}
      </span>
      <span className={css.fill}>{say('recording')}</span>
      <Button intent="primary" icon={<SendMessage />} disabled={!begun} aria-label={say('sendRecording')} onClick={() => stop(true)} />
    </div>
  )
}
