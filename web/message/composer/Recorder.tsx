import { Button } from '@blueprintjs/core'
import { SendMessage, Trash } from '@blueprintjs/icons'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'
import { duration } from '#web/message/bubble/parts.ts'
import { toast } from '#web/ui/toaster.ts'
import { oggOf } from './note.ts'
import css from './Recorder.module.css'
import { recorderWords } from './recorder-words.ts'
import { keepTape } from './tapes.ts'
import { type End, endVoice } from './voice.ts'

/** Minimum size of a recording in bytes (R-AUDIO-01, R-AUDIO-04). */
const least = 10_000
const bits = 128_000
const formats = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4']
/** Milliseconds between two parts, the most that an abruptly closed page loses. */
const partMs = 1000

/** Records from its first render, for the ticket that was open then. `seconds` is null before the microphone is ready. */
function useRecording(ticket: TicketRow, onEnd: () => void) {
  const t = useWords(recorderWords)
  const [seconds, setSeconds] = useState<number | null>(null)
  const tape = useRef<MediaRecorder | null>(null)
  const ended = useRef<End>('device')
  const close = useEffectEvent(onEnd)
  const keep = useEffectEvent((file: File, end: End) => endVoice(ticket, file, end))
  const warn = useEffectEvent((word: 'tooShort' | 'microphoneDenied' | 'microphoneMissing') =>
    toast(t(word), word === 'tooShort' ? 'warning' : 'danger'),
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
      const type = (recorder.mimeType || mimeType || 'audio/webm').split(';')[0]!
      const name = `voz-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.${type.split('/')[1]}`
      const kept = keepTape(ticket.id, name, type)
      const parts: Blob[] = []
      recorder.ondataavailable = ({ data }) => {
        parts.push(data)
        kept.add(data)
      }
      recorder.onstop = () => {
        const file = new File(parts, name, { type })
        if (file.size >= least) keep(file, ended.current)
        else if (ended.current !== 'cancelled') warn('tooShort')
        kept.end()
        for (const track of stream?.getTracks() ?? []) track.stop()
        if (!gone) close()
      }
      recorder.start(partMs)
      void ignoreErrors(oggOf(), 'it is loaded again when it is needed')
      tape.current = recorder
      const start = performance.now()
      setSeconds(0)
      timer = setInterval(() => setSeconds((performance.now() - start) / 1000), 250)
    }
    begin().catch((error: unknown) => {
      const denied = error instanceof DOMException && error.name === 'NotAllowedError'
      warn(denied ? 'microphoneDenied' : 'microphoneMissing') // R-AUDIO-02
      if (!gone) close()
    })
    return () => {
      gone = true
      clearInterval(timer)
      if (tape.current?.state === 'recording') {
        ended.current = 'away'
        tape.current.stop()
      } else if (tape.current === null) for (const track of stream?.getTracks() ?? []) track.stop()
    }
  }, [ticket.id])

  const stop = (end: 'sent' | 'cancelled') => {
    if (tape.current === null) return onEnd()
    if (tape.current.state === 'inactive') return // the first press counts
    ended.current = end
    tape.current.stop()
  }
  return { seconds, stop }
}

export function Recorder({ ticket, onEnd }: { ticket: TicketRow; onEnd: () => void }) {
  const t = useWords(recorderWords)
  const group = useRef<HTMLDivElement>(null)
  const { seconds, stop } = useRecording(ticket, onEnd)
  const begun = seconds !== null
  useEffect(() => {
    if (begun) group.current?.focus() // Enter sends and Escape discards; the Space of an agent who goes on typing does neither
  }, [begun])
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons that belong together, not part of a form
    <div
      ref={group}
      className={css.recorder}
      role="group"
      tabIndex={-1}
      aria-label={t('recording')}
      onKeyDown={({ key, target, currentTarget }) => {
        if (key === 'Escape') stop('cancelled')
        else if (key === 'Enter' && target === currentTarget && begun) stop('sent')
      }}
    >
      <Button
        autoFocus
        variant="minimal"
        icon={<Trash />}
        aria-label={t('cancelRecording')}
        title={t('cancelRecording')}
        onClick={() => stop('cancelled')}
      />
      <span className={css.dot} aria-hidden />
      <span className="nums" role="timer">
        {seconds === null ? t('microphoneWait') : duration(seconds)}
      </span>
      <span className={css.fill}>{t('recording')}</span>
      <Button intent="primary" icon={<SendMessage />} disabled={!begun} aria-label={t('sendRecording')} onClick={() => stop('sent')} />
    </div>
  )
}
