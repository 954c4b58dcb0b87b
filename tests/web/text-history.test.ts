import { expect, it } from 'vitest'
import { createTextHistory, type EditKind, historyOf, type SelectedText } from '#web/message/composer/textHistory.ts'
import { editKindOf } from '#web/message/composer/useTextEditing.ts'

/** A field with a history: each letter that is typed is one change, as in the browser. */
function field(history = createTextHistory('')) {
  let now: SelectedText = { body: '', from: 0, to: 0 }
  let at = 10_000
  const replace = (text: string, kind: EditKind, from = now.from, to = now.to) => {
    const body = now.body.slice(0, from) + text + now.body.slice(to)
    history.record({ before: now.body, after: body, caret: from + text.length, kind, at })
    now = { body, from: from + text.length, to: from + text.length }
  }
  const walk =
    (direction: 'undo' | 'redo') =>
    (times = 1) => {
      for (let n = 0; n < times; n++) now = history[direction](now.body) ?? now
      return now.body
    }
  return {
    type: (text: string) => {
      for (const letter of text) replace(letter, 'typed')
    },
    pause: () => {
      at += 5000
    },
    insert: (text: string) => replace(text, 'whole'),
    erase: (n = 1) => replace('', 'deleted', now.from - n, now.from),
    move: (from: number, to = from) => {
      now = { ...now, from, to }
      history.select(now)
    },
    /** Changes the text outside of the field, as sending does. */
    show: (body: string) => {
      now = { body, from: body.length, to: body.length }
    },
    undo: walk('undo'),
    redo: walk('redo'),
    caret: () => [now.from, now.to],
  }
}

it('one undo takes back a word, a paste, an emoji or a deletion, and redo restores all', () => {
  const { type, insert, erase, undo, redo } = field()
  type('Bom dia Iara')
  insert(' prazo\nde 30 dias')
  insert('👍')
  erase(5)
  expect(undo()).toBe('Bom dia Iara prazo\nde 30 dias👍')
  expect(undo()).toBe('Bom dia Iara prazo\nde 30 dias')
  expect(undo()).toBe('Bom dia Iara')
  expect(undo()).toBe('Bom dia ')
  expect(undo()).toBe('Bom ')
  expect(undo()).toBe('')
  expect(undo()).toBe('')
  expect(redo(9)).toBe('Bom dia Iara prazo\nde 30 d')
})

it('typing after a pause is a step of its own, and fast deletions are one step', () => {
  const { type, pause, erase, undo } = field()
  type('atend')
  pause()
  type('imento')
  pause()
  erase()
  erase()
  erase()
  expect(undo()).toBe('atendimento')
  expect(undo()).toBe('atend')
  expect(undo()).toBe('')
})

it('a change at another place is a step of its own, with its caret', () => {
  const { type, move, insert, undo, redo, caret } = field()
  type('ab')
  move(1)
  type('x')
  expect([undo(), caret()]).toEqual(['ab', [1, 1]])
  expect([redo(), caret()]).toEqual(['axb', [2, 2]])
  move(0, 3)
  insert('novo')
  expect([undo(), caret()]).toEqual(['axb', [0, 3]])
})

it('a sent text does not come back, and a text from elsewhere is a step', () => {
  const { type, show, undo } = field()
  type('enviado')
  show('')
  expect(undo()).toBe('')
  type('meu')
  show('da outra aba')
  expect(undo()).toBe('meu')
})

it('each draft has its own history for as long as the page lives', () => {
  const a = field(historyOf('a reply', ''))
  const b = field(historyOf('b reply', ''))
  a.type('texto de A')
  b.type('texto de B')
  const again = field(historyOf('a reply', 'texto de A'))
  again.show('texto de A')
  expect([again.undo(), again.undo(), again.undo(), again.undo()]).toEqual(['texto de ', 'texto ', '', ''])
  expect(b.undo()).toBe('texto de ')
})

it.each([
  ['insertText', 'typed'],
  ['insertLineBreak', 'typed'],
  ['insertCompositionText', 'composed'],
  ['deleteContentBackward', 'deleted'],
  ['deleteWordBackward', 'whole'],
  ['insertFromPaste', 'whole'],
  ['insertReplacementText', 'whole'],
  [undefined, 'whole'],
])('%s is a %s change', (inputType, kind) => expect(editKindOf(inputType)).toBe(kind))
