/* What the target of a merge gets, and what its undo takes back (A-MERGE-01). Nothing is overwritten, so that nothing is lost. */

type Field = { id: number; name: string; value: string }
export type MergedFields = { email: string; lgpdAcceptedAt: string | null; lgpdText: string | null; extraInfo: Field[] }
type Added = { name: string; value: string }

const isSame = (a: Added, b: Added) => a.name === b.name && a.value === b.value
const numbered = (fields: Added[]): Field[] => fields.map(({ name, value }, i) => ({ id: i + 1, name, value }))

/** The extra fields that the target gets from the source. If both have a field with different values, the target keeps both. */
export const addedFields = (target: Pick<MergedFields, 'extraInfo'>, source: Pick<MergedFields, 'extraInfo'>): Added[] =>
  source.extraInfo.filter((one) => !target.extraInfo.some((own) => isSame(own, one))).map(({ name, value }) => ({ name, value }))

/** The target's fields after the merge. Its own values stay; the source fills the empty ones. */
export function mergedFields(target: MergedFields, source: MergedFields): MergedFields {
  const added = addedFields(target, source)
  const consent = target.lgpdAcceptedAt === null ? source : target
  return {
    email: target.email || source.email,
    lgpdAcceptedAt: consent.lgpdAcceptedAt,
    lgpdText: consent.lgpdText,
    extraInfo: added.length === 0 ? target.extraInfo : numbered([...target.extraInfo, ...added]),
  }
}

/** The target's fields after the undo. A field that was changed since the merge keeps its value; fields that came from the source go. */
export function unmergedFields(
  now: MergedFields,
  { before, after, added }: { before: MergedFields; after: MergedFields; added: Added[] },
): MergedFields {
  const isUntouched = (name: keyof MergedFields) => JSON.stringify(now[name]) === JSON.stringify(after[name])
  const own = now.extraInfo.filter((one) => !added.some((copy) => isSame(one, copy)))
  const consent = isUntouched('lgpdAcceptedAt') ? before : now
  return {
    email: isUntouched('email') ? before.email : now.email,
    lgpdAcceptedAt: consent.lgpdAcceptedAt,
    lgpdText: consent.lgpdText,
    extraInfo: isUntouched('extraInfo') ? before.extraInfo : numbered(own),
  }
}
