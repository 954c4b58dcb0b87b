import { useEffect, useState } from 'react'

type Fault = 'denied' | 'missing' | 'busy'
export type Camera = { state: 'waiting' } | { state: 'live'; stream: MediaStream } | { state: 'failed'; why: Fault }

const faults: Record<string, Fault> = { NotAllowedError: 'denied', SecurityError: 'denied', NotReadableError: 'busy', AbortError: 'busy' }
const stop = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

const waiting: Camera = { state: 'waiting' }
/**
 * The camera of an attempt; null: it is off. It is switched off when the dialog closes, also if the browser allows it
 * only afterwards.
 */
export function useCamera(attempt: number | null): Camera {
  const [last, setLast] = useState<{ attempt: number; camera: Camera } | null>(null)
  useEffect(() => {
    if (attempt === null) return
    let gone = false
    let opened: MediaStream | null = null
    const setCamera = (camera: Camera) => setLast({ attempt, camera })
    const open = async () => {
      // On a phone the camera on its back, which shows what the customer is to see
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
      })
      if (gone) return stop(stream)
      opened = stream
      for (const track of stream.getTracks()) track.onended = () => setCamera({ state: 'failed', why: 'missing' }) // unplugged
      setCamera({ state: 'live', stream })
    }
    open().catch((error: unknown) => {
      if (!gone) setCamera({ state: 'failed', why: (error instanceof DOMException && faults[error.name]) || 'missing' })
    })
    return () => {
      gone = true
      if (opened) stop(opened)
    }
  }, [attempt])
  return last?.attempt === attempt ? last.camera : waiting
}

/** The picture that a video shows now, as a file. */
export async function photoOf(video: HTMLVideoElement): Promise<File | null> {
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
  const name = `foto-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.jpg`
  return picture && new File([picture], name, { type: 'image/jpeg' })
}
