import { describe, expect, it } from 'vitest'
import { asSent, templateOf } from '#app/meta/templates.ts'
import { faultIn, faultOf, filledIn } from '#domain/template/rules.ts'

const graphs = {
  name: 'pedido_enviado',
  language: 'pt_BR',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Pedido {{1}}', example: { header_text: ['A-17'] } },
    { type: 'BODY', text: 'Oi {{1}}, o pedido {{2}} saiu. Obrigado, {{1}}!', example: { body_text: [['Maria', 'A-17']] } },
    { type: 'FOOTER', text: 'Loja da Praça' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'URL', text: 'Acompanhar', url: 'https://loja.test/p/{{1}}', example: ['https://loja.test/p/a17'] },
        { type: 'QUICK_REPLY', text: 'Falar com a loja' },
      ],
    },
  ],
}
const values = ['A-17', 'Maria', 'A-17', 'a17']

describe('a template', () => {
  it('asks once for each field, with the example of its author', () =>
    expect(templateOf(graphs).fields.map(({ at, name, example }) => [at, name, example])).toEqual([
      ['header', '1', 'A-17'],
      ['body', '1', 'Maria'],
      ['body', '2', 'A-17'],
      ['button', '1', 'https://loja.test/p/a17'],
    ]))
  it('is shown in the conversation as the customer sees it', () =>
    expect(filledIn(templateOf(graphs), values)).toBe(
      '*Pedido A-17*\n\nOi Maria, o pedido A-17 saiu. Obrigado, Maria!\n\n_Loja da Praça_\n\n[Acompanhar: https://loja.test/p/a17]\n[Falar com a loja]',
    ))
  it('is sent with the values of header, body and buttons separately', () =>
    expect(asSent(templateOf(graphs), values)).toEqual({
      ...{ name: 'pedido_enviado', language: 'pt_BR', category: 'utility' },
      components: [
        { type: 'header', parameters: [{ type: 'text', text: 'A-17' }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Maria' },
            { type: 'text', text: 'A-17' },
          ],
        },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'a17' }] },
      ],
    }))
  it('supports named fields', () => {
    const named = templateOf({ ...graphs, components: [{ type: 'BODY', text: 'Oi {{nome}}' }] })
    expect(asSent(named, ['Maria']).components).toEqual([
      { type: 'body', parameters: [{ type: 'text', parameter_name: 'nome', text: 'Maria' }] },
    ])
    expect(filledIn(named, ['Maria'])).toBe('Oi Maria')
  })
  it('refuses empty fields, fields with line breaks, and extra fields', () => {
    const one = templateOf(graphs)
    expect(faultIn(one, values)).toBe(null)
    expect(faultIn(one, ['A-17', ' ', 'A-17', 'a17'])).toBe(1)
    expect(faultIn(one, ['A-17', 'Maria', 'A\n17', 'a17'])).toBe(2)
    expect(faultIn(one, values.slice(1))).toBe(3)
    expect(faultIn(one, [...values, 'x'])).toBe(4)
  })
  it('is empty if it cannot be read', () => {
    expect(templateOf({ components: [{ type: 3 }, { type: 'HEADER', format: 'IMAGE' }] })).toMatchObject({
      ...{ status: 'unknown', category: 'unknown', media: 'image', fields: [], buttons: [] },
    })
  })
})

it('reports whether a field is empty, has line breaks or has a gap', () => {
  expect(['  ', 'a\tb', 'a     b', 'a    b'].map(faultOf)).toEqual(['empty', 'line', 'gap', null])
})
