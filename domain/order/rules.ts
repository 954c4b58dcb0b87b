export type OrderItem = { name: string; quantity: number; price: number | null; currency: string }
export type Order = { title: string; items: OrderItem[]; total: number | null; currency: string; note: string }

/** An amount as it is written in the language of the product; a currency that nobody knows stands as its code. */
function money(amount: number, currency: string): string {
  const [style, code] = /^[A-Z]{3}$/i.test(currency) ? (['currency', currency.toUpperCase()] as const) : (['decimal', undefined] as const)
  return new Intl.NumberFormat('pt-BR', { style, minimumFractionDigits: 2, ...(code && { currency: code }) })
    .format(amount)
    .replace(/\s/g, ' ')
}

/** What was ordered, a line each, the total where more than one thing was, and the customer's note. */
export function orderText({ title, items, total, currency, note }: Order): string {
  const priced = items.filter(({ price }) => price !== null)
  const sum = priced.reduce((all, { price, quantity }) => all + price! * quantity, 0)
  const all = total ?? (priced.length === items.length && items.length > 0 ? sum : null)
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
