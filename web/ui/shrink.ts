const large = 1_500_000

/** A big photo is made smaller in a worker, out of the way of typing; whatever goes wrong, the picture itself is sent. */
export async function shrunk(file: File): Promise<File> {
  if (!/^image\/(jpeg|png|webp)$/.test(file.type) || file.size < large || typeof OffscreenCanvas === 'undefined') return file
  const worker = new Worker(new URL('./shrink.worker.ts', import.meta.url), { type: 'module' })
  try {
    const blob = await new Promise<Blob | null>((done) => {
      worker.onmessage = ({ data }: MessageEvent<Blob | null>) => done(data)
      worker.onerror = () => done(null)
      worker.postMessage(file)
    })
    if (!blob || blob.size >= file.size) return file
    return new File([blob], file.name.replace(/\.\w+$/, '.jpg'), { type: blob.type, lastModified: file.lastModified })
  } finally {
    worker.terminate()
  }
}
