import { expect, it } from 'vitest'
import { attach } from '#web/message/composer/attach.ts'
import { type Attachment, attachmentOf } from '#web/message/composer/drafts.ts'
import { partsOf } from '#web/message/composer/parts.ts'

const fileOf = (name: string, type = 'image/jpeg') => new File([name], name, { type })
const soon = () => new Promise((resume) => setTimeout(resume))

function composer() {
  let files: Attachment[] = []
  const refused: string[] = []
  const gates = new Map<File, PromiseWithResolvers<File | string>>()
  const gateOf = (file: File) => {
    const gate = gates.get(file) ?? Promise.withResolvers<File | string>()
    gates.set(file, gate)
    return gate
  }
  return {
    refused,
    choose: (...given: File[]) =>
      attach(
        given,
        (change) => {
          files = change(files)
        },
        (why) => refused.push(why),
        (file) => gateOf(file).promise,
      ),
    ready: async (file: File, as: File | string = file) => {
      gateOf(file).resolve(as)
      await soon()
    },
    shown: () => files.map(({ file, isPreparing }) => `${file.name}${isPreparing ? ' …' : ''}`),
    all: () => files,
  }
}

it('files stand in the order of choice, whichever is ready first', async () => {
  const { choose, ready, shown } = composer()
  const [large, small, pdf] = [fileOf('01.jpg'), fileOf('02.jpg'), fileOf('03.pdf', 'application/pdf')]
  void choose(large)
  void choose(small, pdf)
  expect(shown()).toEqual(['01.jpg …', '02.jpg …', '03.pdf …'])
  await ready(pdf)
  await ready(small)
  expect(shown()).toEqual(['01.jpg …', '02.jpg', '03.pdf'])
  await ready(large, fileOf('01 smaller.jpg'))
  expect(shown()).toEqual(['01 smaller.jpg', '02.jpg', '03.pdf'])
})

it('files of equal names are kept apart, and a refused one leaves the others at their places', async () => {
  const { choose, ready, shown, refused, all } = composer()
  const [one, bad, two] = [fileOf('02.jpg'), fileOf('virus.exe'), fileOf('02.jpg')]
  void choose(one, bad, two)
  await ready(two)
  await ready(bad, 'not this kind')
  await ready(one)
  expect([shown(), refused]).toEqual([['02.jpg', '02.jpg'], ['not this kind']])
  expect(new Set(all().map(({ id }) => id)).size).toBe(2)
})

it('at most ten files are taken', async () => {
  const { choose, ready, shown, refused } = composer()
  const all = Array.from({ length: 12 }, (_, at) => fileOf(`${at}.jpg`))
  const chosen = choose(...all)
  for (const file of all) await ready(file)
  await chosen
  expect([shown().length, shown().at(-1), refused.length]).toEqual([10, '9.jpg', 1])
})

const draftOf = (captions: string[], files = [fileOf('01.jpg'), fileOf('02.jpg'), fileOf('03.pdf', 'application/pdf')]) => {
  const attachments = files.map((file) => attachmentOf(file))
  const own = Object.fromEntries(attachments.map(({ id }, at) => [id, captions[at] ?? '']))
  return (text: string) =>
    partsOf(text, attachments, { quoted: 9, captions: own }).map(({ body, files: [file], quoted }) => [file?.name ?? null, body, quoted])
}

it('each file leaves with its own caption, and the quote with the first', () =>
  expect(draftOf(['sala', '', ' contrato '])('')).toEqual([
    ['01.jpg', 'sala', 9],
    ['02.jpg', '', null],
    ['03.pdf', 'contrato', null],
  ]))

it('the text captions the first file, or precedes a file that has its own caption', () => {
  expect(draftOf(['', 'cozinha'])('Seguem')).toEqual([
    ['01.jpg', 'Seguem', 9],
    ['02.jpg', 'cozinha', null],
    ['03.pdf', '', null],
  ])
  expect(draftOf(['sala'])('Seguem').slice(0, 2)).toEqual([
    [null, 'Seguem', 9],
    ['01.jpg', 'sala', null],
  ])
})

it('the text leaves with the last file if all are audio', () =>
  expect(draftOf([], [fileOf('a.ogg', 'audio/ogg'), fileOf('b.ogg', 'audio/ogg')])('Ouça')).toEqual([
    ['a.ogg', '', 9],
    ['b.ogg', 'Ouça', null],
  ]))
