import { useEffect, useRef, useState } from 'react'
import { asNote } from '#web/message/composer/note.ts'

const least = 10_000 // bytes: shorter recordings are accidental touches

type End = 'sent' | 'dropped'
/** A voice note: seconds recorded so far, or null when none is recorded. */
export function useVoice(of: { done: (note: File) => void; short: () => void; refused: () => void }) {
  const [seconds, setSeconds] = useState<number | null>(null)
  const now = useRef<{ recorder: MediaRecorder; end: End } | null>(null)
  const running = seconds !== null
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setSeconds((past) => (past ?? 0) + 1), 1000)
    return () => clearInterval(timer)
  }, [running])
  useEffect(() => () => now.current?.recorder.stop(), [])

  const start = async () => {
    const stream = await navigator.mediaDevices?.getUserMedia({ audio: true }).catch(() => null)
    if (!stream) return of.refused()
    const recorder = new MediaRecorder(stream, { audioBitsPerSecond: 32_000 })
    const parts: Blob[] = []
    const mine = { recorder, end: 'dropped' as End }
    now.current = mine
    recorder.ondataavailable = ({ data }) => parts.push(data)
    recorder.onstop = () => {
      for (const track of stream.getTracks()) track.stop()
      setSeconds(null)
      const type = recorder.mimeType.split(';')[0] || 'audio/webm'
      const note = new File(parts, `audio.${type.split('/')[1]}`, { type })
      if (mine.end === 'dropped') return
      if (note.size < least) of.short()
      else void asNote(note).then(of.done)
    }
    recorder.start()
    setSeconds(0)
  }
  const stop = (end: End) => {
    if (!now.current) return
    now.current.end = end
    now.current.recorder.stop()
    now.current = null
  }
  return { seconds, start, send: () => stop('sent'), drop: () => stop('dropped') }
}
