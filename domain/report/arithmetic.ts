/** Rounds to a whole number, halves away from zero (A-COUNT-12). */
export const roundHalfAway = (n: number): number => Math.sign(n) * Math.floor(Math.abs(n) + 0.5) || 0

/** Whole percentages of the parts that add up to 100, by the largest remainder; ties go to the first. Zeros if there is nothing. */
export function sharesOf(parts: number[]): number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0)
  if (whole === 0) return parts.map(() => 0)
  const shares = parts.map((part, at) => ({ at, floor: Math.floor((100 * part) / whole), rest: (100 * part) % whole }))
  const missing = 100 - shares.reduce((sum, { floor }) => sum + floor, 0)
  const raised = new Set(
    shares
      .toSorted((a, b) => b.rest - a.rest || a.at - b.at)
      .slice(0, missing)
      .map(({ at }) => at),
  )
  return shares.map(({ at, floor }) => floor + Number(raised.has(at)))
}
