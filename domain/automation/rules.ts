/** Fields of the facts that tell of a rule. */
export type Ruled = { rule?: unknown; reason?: unknown; why?: unknown }

/** Why something happened by itself, in one word; null where no rule of the house did it. */
export function reasonOf(type: string, { rule, reason, why }: Ruled): string | null {
  if (typeof rule !== 'string') return null
  if (type === 'RatingMissed') return type
  return typeof reason === 'string' ? reason : typeof why === 'string' ? why : type
}
