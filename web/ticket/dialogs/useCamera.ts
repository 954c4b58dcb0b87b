import { useEffect, useState } from 'react'

type Fault = 'denied' | 'missing' | 'busy'
export type Camera = { state: 'waiting' } | { state: 'live'; stream: MediaStream } | { state: 'failed'; why: Fault }

const faults: Record<string, Fault> = { NotAllowedError: 'denied', SecurityError: 'denied', NotReadableError: 'busy', AbortError: 'busy' }
const stop = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

/** The camera while `on`. It is switched off when the dialog closes, also if the browser allows it only afterwards. */
export function useCamera(on: boolean): { camera: Camera; retry: () => void } {
  const [camera, setCamera] = useState<Camera>({ state: 'waiting' })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further attempt opens the camera again
  useEffect(() => {
    if (!on) return
    let gone = false
    let opened: MediaStream | null = null
    setCamera({ state: 'waiting' })
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
  }, [on, attempt])
  return { camera, retry: () => setAttempt((n) => n + 1) }
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
