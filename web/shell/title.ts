/** R-LAYOUT-06: circled digits for 1 to 20, a bracketed number above. */
export function unreadMark(count: number): string {
  if (count <= 0) return ''
  return count <= 20 ? String.fromCodePoint(0x2460 + count - 1) : `(${count})`
}

export const pageTitle = (screen: string | null, unread: number): string =>
  [unreadMark(unread), screen ? `${screen} · Guichê` : 'Guichê'].filter(Boolean).join(' ')
