/** So many at once and so many a second for each key: what is not used comes back. */
export function allowance({ burst, perSecond }: { burst: number; perSecond: number }, now = () => performance.now()) {
  const held = new Map<string, { left: number; at: number }>()
  return {
    take(key: string): boolean {
      const at = now()
      const known = held.get(key)
      const left = known ? Math.min(burst, known.left + ((at - known.at) / 1000) * perSecond) : burst
      held.delete(key)
      held.set(key, { left: Math.max(0, left - 1), at })
      if (held.size > 20_000) held.delete(held.keys().next().value!)
      return left >= 1
    },
  }
}
