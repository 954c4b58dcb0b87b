import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { refusalText } from '#app/http/error-handler.ts'
import { fileName } from '#app/storage/file-name.ts'
import { createInspector } from '#app/storage/inspector.ts'
import { isCalled, numberKey } from '#domain/contact/rules.ts'
import { normalizeAnswer, parseAnswer } from '#domain/flow/answer.ts'
import { dialled, pixKey, webAddress } from '#domain/interactive/rules.ts'
import { excerpt, place, placeIn } from '#domain/message/rules.ts'
import { ratingIn } from '#domain/ticket/rating.ts'
import { filled, preview, unknownNames } from '#domain/ticket/rules.ts'
import { cards, firstCards, vCardsIn } from '#domain/vcard/rules.ts'
import { type Dice, seededRandom } from '#tests/support/seeded-random.ts'
import { times } from '#tests/support/soak.ts'
import { computedMs, longestTurnMs, watchEventLoop } from '#tests/support/watchdog.ts'

/* Random files and strings from outside. Whatever they contain, no turn of the event loop is long. */
const seed = times(11, Date.now() % 1e6, 'GUICHE_SEED')
const texts = times(400, 100_000)
const files = times(100, 20_000)

const folder = mkdtempSync(path.join(tmpdir(), 'guiche-strangers-'))
const inspector = createInspector()
afterAll(async () => {
  await inspector.end()
  rmSync(folder, { recursive: true, force: true })
})

const parts = [
  '*',
  '.',
  ' ',
  '\n',
  '\t',
  '{',
  '}',
  '{{',
  '/',
  '\\',
  '@',
  '=',
  '-',
  ';',
  ',',
  ':',
  '"',
  '1',
  '9',
  '+',
  '(',
  ')',
  'a',
  'ç',
  '😀',
  '\u200b',
  '\ud800',
]
const words = [
  'BEGIN:VCARD',
  '\nEND:VCARD\n',
  '\nAGENT:\nBEGIN:VCARD\n',
  '\nTEL:',
  '\nFN;ENCODING=QUOTED-PRINTABLE:=\n',
  '\nitem1.ORG:',
  'FN:',
  'data:image/',
  'https://',
  '.pdf',
  '{nome}',
  '*Maria:*\n',
  'q=0.5',
  'bearer.',
  '👍🏽',
  '١٢٣',
]
/** Many repetitions of short pieces, which make slow regular expressions slow. */
function text({ of, int, chance }: Dice): string {
  const piece = () => (chance(0.2) ? of(words) : of(parts)).repeat(chance(0.3) ? 1 + int(60_000) : 1 + int(5))
  return Array.from({ length: 1 + int(6) }, piece).join('')
}

it('the check detects an expression with quadratic time', () => {
  const dots = `${'.'.repeat(45_000)}x`
  expect(computedMs(() => dots.replace(/[.\s]+$/, ''))).toBeGreaterThan(longestTurnMs)
})

const readers: Record<string, (text: string) => unknown> = {
  fileName: (one) => fileName(one, 'application/pdf'),
  refusalText: (one) => refusalText('ERR_NOT_FOUND', one),
  normalizeAnswer,
  parseAnswer: (one) => parseAnswer(one, ['Vendas', 'Suporte'], { back: 'voltar', first: 'início' }),
  rating: (one) => ratingIn('chat', one),
  filled: (one) => filled(one, { nome: 'Ana' }),
  unknownNames: (one) => unknownNames(one, ['nome']),
  preview: (one) => preview('chat', one),
  excerpt: (one) => excerpt(one, 'ana'),
  place: (one) => [place(one), placeIn(one)],
  cards: (one) => [cards(one), vCardsIn(one), firstCards(one, 30_000)],
  numberKey,
  isCalled: (one) => isCalled({ name: one, number: '5511987654321' }, 'ana'),
  dialled,
  webAddress,
  pixKey: (one) => (['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP'] as const).map((type) => pixKey(type, one)),
}

it(`reading ${texts} random strings never blocks the event loop (seed ${seed})`, async () => {
  const throws = seededRandom(seed)
  for (let n = 0; n < texts; n++) {
    const one = text(throws)
    await nextTurn()
    for (const [name, read] of Object.entries(readers)) {
      const ms = computedMs(() => read(one))
      if (ms > longestTurnMs) expect.fail(`${name} computes ${ms} ms for ${JSON.stringify(one.slice(0, 200))}… of ${one.length} letters`)
    }
  }
})

const heads: Record<string, string> = {
  png: '89504e470d0a1a0a0000000d4948445200000001000000010806000000',
  jpg: 'ffd8ffe000104a46494600010100000100010000',
  gif: '47494638396101000100',
  webp: '524946461a000000574542505650384c',
  ogg: '4f67675300020000000000000000000000000000000000000000011e01766f72626973',
  mp3: '4944330300000000000ffffb9064',
  mp4: '000000206674797069736f6d0000020069736f6d69736f32000000086d6f6f76',
  webm: '1a45dfa3a3428681014282847765626d42878104428581021853806701ffffffffffffff',
  wav: '5249464624000000574156456d666d7420100000000100010040',
  flac: '664c614380000022001000100000000000000bb800f000000000',
  aac: 'fff15080021ffc',
  asf: '3026b2758e66cf11a6d900aa0062ce6c1e00000000000000',
  pdf: '255044462d312e370a',
  zip: '504b03041400000008000000',
  cfb: 'd0cf11e0a1b11ae1000000000000000000000000000000003e000300feff0900',
}
/** A file header with changed bytes and lengths, followed by random content. */
function mutated(head: Buffer, { of, int, chance }: Dice): Buffer {
  const bytes = Buffer.concat([head, Buffer.alloc(int(4000), chance(0.5) ? 0 : int(256))])
  for (let n = int(6); n > 0; n--) bytes[int(bytes.length)] = of([0, 1, 0x7f, 0x80, 0xff, int(256)])
  return chance(0.2) ? bytes.subarray(0, int(bytes.length)) : bytes
}

it(`inspecting ${files} broken files never blocks the event loop (seed ${seed})`, async () => {
  const throws = seededRandom(seed)
  const watch = watchEventLoop()
  const at = path.join(folder, 'file')
  for (let n = 0; n < files; n++) {
    writeFileSync(at, mutated(Buffer.from(throws.of(Object.values(heads)), 'hex'), throws))
    const type = await inspector.ask({ asks: 'type', path: at })
    const seconds = await inspector.ask({ asks: 'duration', path: at })
    expect([typeof type === 'string' || type === null, typeof seconds === 'number' || seconds === null]).toEqual([true, true])
  }
  watch.stop()
  expect(watch.isFree(), `${watch.worst()} ms`).toBe(true)
})
