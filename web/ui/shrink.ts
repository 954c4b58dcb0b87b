const large = 1_500_000

/** `longest`: pixels of its longer side, at most; `square`: its middle alone; `quality`: of the JPEG, 0 to 1. */
export type Redraw = { file: File; longest: number; square: boolean; quality?: number }

/** A picture drawn anew as a JPEG in a worker, out of the way of typing; null where that cannot be. */
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

/** A big photo is made smaller; whatever goes wrong, the picture itself is sent. */
export async function shrunk(file: File): Promise<File> {
  if (!/^image\/(jpeg|png|webp)$/.test(file.type) || file.size < large) return file
  const smaller = await redrawn({ file, longest: 2048, square: false })
  return smaller && smaller.size < file.size ? smaller : file
}
