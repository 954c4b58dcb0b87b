const longest = 2048

self.onmessage = async ({ data }: MessageEvent<File>) => {
  const answer = (blob: Blob | null) => (self as unknown as { postMessage: (blob: Blob | null) => void }).postMessage(blob)
  try {
    const picture = await createImageBitmap(data)
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height))
    const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale))
    const context = canvas.getContext('2d')!
    context.fillStyle = '#ffffff' // what was transparent would turn black
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 })
    answer(blob.type === 'image/jpeg' ? blob : null)
  } catch {
    answer(null)
  }
}
