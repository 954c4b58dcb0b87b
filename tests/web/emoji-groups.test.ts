import en from 'emojibase-data/en/messages.json' with { type: 'json' }
import { expect, it } from 'vitest'
import { emojiGroup } from '#web/message/composer/emoji-groups.ts'

const labels = en.groups.map(({ message }) => message.charAt(0).toUpperCase() + message.slice(1))

it('every emoji group has a Turkish name', () => {
  expect(labels.filter((label) => emojiGroup(label, 'tr') === label)).toEqual([])
  expect(emojiGroup('Animals & nature', 'tr')).toBe('Hayvanlar ve doğa')
})
it('other languages keep the name of the emoji data', () => expect(emojiGroup('Animais e natureza', 'pt-BR')).toBe('Animais e natureza'))
