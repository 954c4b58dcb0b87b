import { describe, expect, it } from 'vitest'
import { blocks, isFormatted } from '#web/message/bubble/blocks.ts'
import { pieces } from '#web/message/bubble/pieces.ts'

describe('the formats of WhatsApp in a text', () => {
  it('lines with > are a quote, lines with - or * a list, lines with numbers a numbered list', () => {
    expect(blocks('Veja:\n> primeira\n> segunda\n- um\n* dois\n1. a\n2. b\nfim')).toEqual([
      { as: 'text', text: 'Veja:' },
      { as: 'quote', text: 'primeira\nsegunda' },
      { as: 'bullets', items: [{ text: 'um' }, { text: 'dois' }] },
      {
        as: 'numbers',
        items: [
          { text: 'a', number: 1 },
          { text: 'b', number: 2 },
        ],
      },
      { as: 'text', text: 'fim' },
    ])
  })
  it.each([
    'a > b\nc - d',
    '-5 graus',
    '>sem espaço',
    '*negrito* no início',
    '10.5 metros',
    '2026. ano longo demais: 2026',
    '```\n- não é lista\n> nem citação\n```',
    '-  ',
  ])('keeps %j as text', (text) => expect(blocks(text)).toEqual([{ as: 'text', text }]))
  it('keeps empty lines between paragraphs', () => expect(blocks('a\n\nb')).toEqual([{ as: 'text', text: 'a\n\nb' }]))
  it('`single backticks` are code, and other marks inside stay', () => {
    expect(pieces('use `npm *start*` já')).toEqual([
      { text: 'use ', as: 'plain' },
      { text: 'npm *start*', as: 'code' },
      { text: ' já', as: 'plain' },
    ])
    expect(pieces('```a `b` c```')).toMatchObject([{ as: 'plain' }, { as: 'code', text: 'b' }, { as: 'plain' }])
    expect(pieces('um ` só')).toEqual([{ text: 'um ` só', as: 'plain' }])
  })
  it.each([
    ['*oi*', true],
    ['`x`', true],
    ['- um', true],
    ['> a', true],
    ['2 * 3 * 4', false],
    ['ligue (11) 98765-4321 ou veja https://a.test', false],
    ['oi', false],
  ])('knows whether %j has formats: %s', (text, is) => expect(isFormatted(text)).toBe(is))
})
