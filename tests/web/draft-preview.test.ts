import { describe, expect, it } from 'vitest'
import { previewOf } from '#web/message/composer/draft-preview.ts'

const values = { nome: 'Iara Passos', 'primeiro nome': 'Iara', numero: '5511944490001', atendente: 'Ana Souza' }
const reply = { values, isPrivate: false, channel: 'whatsapp' } as const

describe('the preview of a draft', () => {
  it('shows a text with formats or with variables, filled as they will be sent', () => {
    expect(previewOf('Oi *você*', reply)).toEqual({ text: 'Oi *você*', isFormatted: true })
    expect(previewOf('Oi {primeiro nome}, aqui é {{atendente}}', reply)).toEqual({
      text: 'Oi Iara, aqui é Ana Souza',
      isFormatted: false,
    })
  })
  it.each(['', 'Oi', 'Custa {10}', 'Ligue (11) 98765-4321', '{fila} e {email} ficam'])('is not needed for %j', (text) =>
    expect(previewOf(text, reply)).toBeNull(),
  )
  it('leaves the variables of a note, which are not filled', () => {
    expect(previewOf('Oi {nome}', { ...reply, isPrivate: true })).toBeNull()
    expect(previewOf('*urgente* {nome}', { ...reply, isPrivate: true })).toEqual({ text: '*urgente* {nome}', isFormatted: true })
  })
  it('shows the signs themselves where the channel has no formats', () => {
    expect(previewOf('Oi *você*', { ...reply, channel: 'instagram' })).toBeNull()
    expect(previewOf('Oi *{primeiro nome}*', { ...reply, channel: 'facebook' })).toEqual({ text: 'Oi *Iara*', isFormatted: false })
  })
})
