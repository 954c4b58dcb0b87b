import { setTimeout as sleep } from 'node:timers/promises'
import { proto, type WASocket } from '@whiskeysockets/baileys'
import type { Logger } from 'pino'
import { type Order, orderText } from '#domain/order/rules.ts'
import { TransientChannelError } from '../channels/channel.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import type { StoredMessage } from './account-journal.ts'
import { contentIn } from './wrappers.ts'

/** Messages of the same person wait meanwhile. */
const answerMs = 10_000

type OrderMessage = proto.Message.IOrderMessage
/** The order in a message: the number of items and the total. The items are requested by the order's id and token. */
export const orderIn = ({ orderTitle, message, itemCount, totalAmount1000, totalCurrencyCode }: OrderMessage): Order => ({
  ...{ title: [orderTitle, itemCount ? `(${itemCount})` : ''].filter(Boolean).join(' '), items: [] },
  total: amountOf(totalAmount1000),
  ...{ currency: totalCurrencyCode ?? '', note: message ?? '' },
})
export const hasItems = ({ orderId, token }: OrderMessage): boolean => !!orderId && !!token

/** Amounts are in thousandths; null: not given. */
function amountOf(thousandths: unknown): number | null {
  const amount = Number(thousandths ?? 0) / 1000
  return amount > 0 ? amount : null
}

/** Returns the text of an order with its items. Null: WhatsApp does not return them. */
export async function orderTextOf(sock: WASocket, kept: StoredMessage, logger: Logger): Promise<string | null> {
  const { orderMessage } = contentIn(proto.Message.decode(kept.message))
  if (!orderMessage || !hasItems(orderMessage)) return null
  const late = new AbortController()
  const silent = sleep(answerMs, null, { signal: late.signal })
  try {
    const details = await Promise.race([sock.getOrderDetails(orderMessage.orderId!, orderMessage.token!), silent])
    if (!details || details.products.length === 0) return null
    const { products, price } = details
    const order = orderIn(orderMessage)
    const items = products.map(({ name, quantity, currency, price }) => ({
      ...{ name: name ?? '', quantity: quantity || 1, price: amountOf(price), currency: currency ?? '' },
    }))
    const { currency } = order
    return orderText({
      ...order,
      title: orderMessage.orderTitle ?? '',
      items,
      total: amountOf(price.total) ?? order.total,
      currency: currency || price.currency,
    })
  } catch (error) {
    if ((error as { output?: { statusCode?: number } }).output?.statusCode === 428)
      throw new TransientChannelError('ERR_WAPP_NOT_INITIALIZED')
    logger.warn({ err: error }, 'Order items not available; order shown without them')
    return null
  } finally {
    late.abort()
    void ignoreErrors(silent, 'thrown where the order is awaited')
  }
}
