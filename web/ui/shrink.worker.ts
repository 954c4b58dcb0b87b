import type { Redraw } from './shrink.ts'

self.onmessage = async ({ data: { file, longest, square, quality = 0.85 } }: MessageEvent<Redraw>) => {
  const answer = (blob: Blob | null) => (self as unknown as { postMessage: (blob: Blob | null) => void }).postMessage(blob)
  try {
    const picture = await createImageBitmap(file)
    const side = Math.min(picture.width, picture.height)
    const [width, height] = square ? [side, side] : [picture.width, picture.height]
    const scale = Math.min(1, longest / Math.max(width, height))
    const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale))
    const context = canvas.getContext('2d')!
    context.fillStyle = '#ffffff' // transparent pixels would turn black
    context.fillRect(0, 0, canvas.width, canvas.height)
    const [left, top] = [(picture.width - width) / 2, (picture.height - height) / 2]
    context.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height)
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality })
    answer(blob.type === 'image/jpeg' ? blob : null)
  } catch {
    answer(null)
  }
}
