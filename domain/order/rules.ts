export type OrderItem = { name: string; quantity: number; price: number | null; currency: string }
export type Order = { title: string; items: OrderItem[]; total: number | null; currency: string; note: string }

/** Formats an amount in Portuguese; an unknown currency is shown as its code. */
function money(amount: number, currency: string): string {
  const [style, code] = /^[A-Z]{3}$/i.test(currency) ? (['currency', currency.toUpperCase()] as const) : (['decimal', undefined] as const)
  return new Intl.NumberFormat('pt-BR', { style, minimumFractionDigits: 2, ...(code && { currency: code }) })
    .format(amount)
    .replace(/\s/g, ' ')
}

const isCounted = ({ quantity }: OrderItem): boolean => Number.isInteger(quantity) && quantity > 0 && quantity <= mostOfOne
/** Larger quantities are implausible and are not used for the total. */
const mostOfOne = 1_000_000

/** Formats an order as text: one line per item, the total if it can be computed, and the customer's note. */
export function orderText({ title, items, total, currency, note }: Order): string {
  const priced = items.filter(({ price }) => price !== null)
  const sum = priced.reduce((all, { price, quantity }) => all + price! * quantity, 0)
  const oneCurrency = new Set(items.map((one) => one.currency.toUpperCase())).size === 1
  const all = total ?? (priced.length === items.length && oneCurrency && items.every(isCounted) && Number.isFinite(sum) ? sum : null)
  const of = currency || items.find((one) => one.currency !== '')?.currency || ''
  return [
    ...(title === '' ? [] : [title]),
    ...items.map(
      ({ name, quantity, price, ...one }) => `${quantity} × ${name}${price === null ? '' : ` · ${money(price, one.currency || of)}`}`,
    ),
    ...(all === null || (items.length === 1 && items[0]!.quantity === 1) ? [] : [`Total: ${money(all, of)}`]),
    ...(note.trim() === '' ? [] : [note]),
  ].join('\n')
}
