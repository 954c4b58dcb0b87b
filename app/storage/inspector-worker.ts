/**
 * Runs in a worker thread and parses untrusted files. A parser that loops or exhausts its memory ends this
 * thread, not the process. No parser follows a path or URL from a file.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type'
import { ADTS, CustomSource, FLAC, Input, MATROSKA, MP3, MP4, OGG, QTFF, WAVE, WEBM } from 'mediabunny'
import type { Answer, Question } from './inspector.ts'

const formats = [OGG, MP3, MP4, QTFF, WEBM, MATROSKA, WAVE, ADTS, FLAC]
/** Maximum bytes read from one file. Finding a duration needs far less. */
const readLimit = 64 * 1024 * 1024

const port = parentPort!
port.on('message', ({ id, ...question }: Question & { id: number }) => {
  answerTo(question as Question).then(
    (answer) => port.postMessage({ id, answer }),
    () => port.postMessage({ id, answer: null }),
  )
})
port.postMessage('ready')

async function answerTo(question: Question): Promise<Answer> {
  if (question.asks === 'duration') return durationOf(question.path)
  const found = 'bytes' in question ? await fileTypeFromBuffer(question.bytes) : await fileTypeFromFile(question.path)
  return found?.mime ?? null
}

async function durationOf(path: string): Promise<number | null> {
  const file = await open(path)
  try {
    using input = new Input({ source: await limitedSource(file), formats })
    const seconds = await input.computeDuration()
    return seconds !== null && Number.isFinite(seconds) ? Math.round(seconds * 10) / 10 : null
  } finally {
    await file.close()
  }
}

async function limitedSource(file: FileHandle): Promise<CustomSource> {
  const { size } = await file.stat()
  let left = readLimit
  return new CustomSource({
    getSize: () => size,
    async read(start, end) {
      left -= end - start
      if (left < 0) throw new Error('File exceeds the read limit')
      const buffer = new Uint8Array(end - start)
      await file.read(buffer, 0, buffer.length, start)
      return buffer
    },
    prefetchProfile: 'fileSystem',
    handleUnhandledError: () => undefined,
  })
}
