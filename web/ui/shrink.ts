const large = 1_500_000

/** `longest`: maximum pixels of the longer side; `square`: crops the middle; `quality`: of the JPEG, 0 to 1. */
export type Redraw = { file: File; longest: number; square: boolean; quality?: number }

/** Redraws a picture as JPEG in a worker, so that typing stays fast; null if that fails. */
export async function redrawn(of: Redraw): Promise<File | null> {
  if (typeof OffscreenCanvas === 'undefined') return null
  const worker = new Worker(new URL('./shrink.worker.ts', import.meta.url), { type: 'module' })
  try {
    const blob = await new Promise<Blob | null>((done) => {
      worker.onmessage = ({ data }: MessageEvent<Blob | null>) => done(data)
      worker.onerror = () => done(null)
      worker.postMessage(of)
    })
    const { name, lastModified } = of.file
    return blob && new File([blob], `${name.replace(/\.\w+$/, '')}.jpg`, { type: blob.type, lastModified })
  } finally {
    worker.terminate()
  }
}

/** Reduces a large photo. On any failure the original is sent. */
export async function shrunk(file: File): Promise<File> {
  if (!/^image\/(jpeg|png|webp)$/.test(file.type) || file.size < large) return file
  const smaller = await redrawn({ file, longest: 2048, square: false })
  return smaller && smaller.size < file.size ? smaller : file
}
