import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createInspector } from '#app/storage/inspector.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'guiche-inspector-'))
const inspector = createInspector()
afterAll(async () => {
  await inspector.end()
  rmSync(folder, { recursive: true, force: true })
})
function file(name: string, content: Buffer | string): string {
  const at = path.join(folder, name)
  writeFileSync(at, content)
  return at
}

/** One second of silence, 8,000 samples of one byte. */
function wave(): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + 8000, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(8000, 40)
  return Buffer.concat([head, Buffer.alloc(8000, 128)])
}
/** A FLAC file without a frame: the parser searches for one without end. */
const endless = Buffer.from(`664c614380000022001000100000000000000bb800f000000000${'00'.repeat(16)}`, 'hex')

it('the inspector reads the type and the duration of a recording', async () => {
  const at = file('silence.wav', wave())
  expect(await inspector.ask({ asks: 'type', path: at })).toBe('audio/wav')
  expect(await inspector.ask({ asks: 'type', bytes: wave().subarray(0, 100) })).toBe('audio/wav')
  expect(await inspector.ask({ asks: 'duration', path: at })).toBe(1)
})

it('the inspector aborts a file whose parser does not end, and handles the next file', async () => {
  const stuck = inspector.ask({ asks: 'duration', path: file('endless.flac', endless) })
  const next = inspector.ask({ asks: 'duration', path: file('next.wav', wave()) })
  expect([await stuck, await next]).toEqual([null, 1])
})

it('the inspector follows no path in a playlist', async () => {
  const secret = file('secret.wav', wave())
  for (const target of [secret, `file://${secret}`, 'secret.wav']) {
    const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${target}\n#EXT-X-ENDLIST\n`
    expect(await inspector.ask({ asks: 'duration', path: file('list.m3u8', playlist) })).toBeNull()
  }
})

it('the inspector returns null for a missing or empty file', async () => {
  for (const at of [path.join(folder, 'nowhere'), file('empty', '')]) {
    expect(await inspector.ask({ asks: 'type', path: at })).toBeNull()
    expect(await inspector.ask({ asks: 'duration', path: at })).toBeNull()
  }
})
