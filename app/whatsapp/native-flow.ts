import { randomBytes } from 'node:crypto'
import type { BinaryNode, proto } from '@whiskeysockets/baileys'
import type { Interactive } from '#domain/interactive/rules.ts'

/** A message that Baileys cannot build, with the stanza nodes that phones need to display it. */
export type Flow = { message: proto.IMessage; nodes: BinaryNode[] }

/** Builds an interactive message. `words`: the same as text, for phones that show no buttons. `image`: the header. */
export function nativeFlow(of: Interactive, words: string, image: proto.Message.IImageMessage | null, seconds: number): Flow {
  const [name, params] = buttonOf(of)
  const buttons = [{ name, buttonParamsJson: JSON.stringify(params) }]
  const interactiveMessage: proto.Message.IInteractiveMessage = {
    ...(image && { header: { hasMediaAttachment: true, imageMessage: image } }),
    body: { text: words },
    nativeFlowMessage: { buttons, messageParamsJson: '{}', messageVersion: 1 },
  }
  return { message: { interactiveMessage }, nodes: besideIt(name === 'payment_info' ? name : 'mixed', seconds) }
}

function buttonOf(of: Interactive): [name: string, params: object] {
  switch (of.kind) {
    case 'list':
      return ['single_select', { title: of.buttonText, sections: of.sections }]
    case 'url':
      return ['cta_url', { display_text: of.buttonText, url: of.url, merchant_url: of.url }]
    case 'copy':
      return ['cta_copy', { display_text: of.buttonText, id: 'copy', copy_code: of.copies }]
    case 'call':
      return ['cta_call', { display_text: of.buttonText, phone_number: of.phone }]
    case 'pix':
      return ['payment_info', payment(of)]
  }
}
function payment({ title, key, keyType, merchant, cents }: Extract<Interactive, { kind: 'pix' }>): object {
  const amount = { value: cents ?? 0, offset: 100 }
  const item = { name: title, amount, quantity: 1, sale_amount: amount }
  return {
    ...{ currency: 'BRL', total_amount: amount, reference_id: randomBytes(6).toString('hex').toUpperCase(), type: 'physical-goods' },
    order: { status: 'pending', subtotal: amount, order_type: cents === null ? 'ORDER_WITHOUT_AMOUNT' : 'ORDER', items: [item] },
    payment_settings: [{ type: 'pix_static_code', pix_static_code: { merchant_name: merchant, key, key_type: keyType } }],
    share_payment_status: false,
  }
}

/** Without the first node no phone shows the message. With a shorter second node WhatsApp answers 405 or 479. */
const besideIt = (name: string, seconds: number): BinaryNode[] => [
  {
    tag: 'biz',
    attrs: { actual_actors: '2', host_storage: '2', privacy_mode_ts: String(seconds) },
    content: [
      { tag: 'interactive', attrs: { type: 'native_flow', v: '1' }, content: [{ tag: 'native_flow', attrs: { v: '9', name } }] },
      { tag: 'quality_control', attrs: { decision_id: randomBytes(20).toString('hex'), source_type: 'third_party' } },
    ],
  },
]
