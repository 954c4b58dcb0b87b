/**
 * Parses an amount as typed in four languages: "1.234,56" and "1,234.56", with or without currency. null: empty;
 * undefined: invalid.
 */
export function typedAmount(text: string): number | null | undefined {
  const bare = text.replace(/^\s*(R\$|BRL)/i, '').replace(/\s/g, '')
  if (bare === '') return null
  const [, whole = '', cents = '0'] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(bare) ?? []
  if (!/^(\d+|\d{1,3}([.,]\d{3})+)$/.test(whole)) return undefined
  const amount = Number(`${whole.replace(/[.,]/g, '')}.${cents}`)
  return amount < 1e9 ? amount : undefined // the limit of the call
}
