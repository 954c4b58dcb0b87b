import { conflictingFields, hasField as has, type MergeChoice } from '#domain/contact/rules.ts'
import type { ExtraField } from '#domain/contact-field/rules.ts'

/*
 * What the target of a merge gets, and what its undo takes back (A-MERGE-01). A value is dropped only if the person who merges chooses so, and
 * the undo brings it back (A-MERGE-02).
 */

/** A merge. `undoneAt`: null while it holds. Times: ISO 8601. */
export type MergeSpan = { sourceId: number; targetId: number; createdAt: string; undoneAt: string | null }
/** Whether two contacts were one person at this time, merged directly or through others. `at`: ISO 8601; null: now. */
export function wereOnePerson(merges: readonly MergeSpan[], one: number, other: number, at: string | null): boolean {
  const time = at === null ? Number.POSITIVE_INFINITY : Date.parse(at)
  const held = merges.filter(
    ({ createdAt, undoneAt }) => Date.parse(createdAt) <= time && (undoneAt === null || Date.parse(undoneAt) > time),
  )
  const targets = new Map(held.map(({ sourceId, targetId }) => [sourceId, targetId]))
  const shown = (id: number): number => (targets.has(id) ? shown(targets.get(id)!) : id)
  return shown(one) === shown(other)
}

type Field = { id: number; name: string; value: string }
export type MergedFields = { email: string; lgpdAcceptedAt: string | null; lgpdText: string | null; extraInfo: Field[] }
type Extra = Pick<MergedFields, 'extraInfo'>

const plain = ({ name, value }: ExtraField): ExtraField => ({ name, value })
const numbered = (fields: ExtraField[]): Field[] => fields.map(({ name, value }, i) => ({ id: i + 1, name, value }))

/** The extra fields that the target gets from the source, and those that it loses. Without a choice it keeps the values of both. */
export function movedFields(target: Extra, source: Extra, choices: MergeChoice[] = []): { added: ExtraField[]; removed: ExtraField[] } {
  const conflicts = conflictingFields(target, source)
  const keeps = ({ name }: ExtraField) => (conflicts.includes(name) && choices.find((one) => one.name === name)?.keep) || 'both'
  return {
    added: source.extraInfo.filter((one) => !has(target.extraInfo, one) && keeps(one) !== 'target').map(plain),
    removed: target.extraInfo.filter((one) => !has(source.extraInfo, one) && keeps(one) === 'source').map(plain),
  }
}

/** The target's fields after the merge. Its own values stay; the source fills the empty ones. */
export function mergedFields(target: MergedFields, source: MergedFields, choices: MergeChoice[] = []): MergedFields {
  const { added, removed } = movedFields(target, source, choices)
  const consent = target.lgpdAcceptedAt === null ? source : target
  const kept = target.extraInfo.filter((one) => !has(removed, one))
  return {
    email: target.email || source.email,
    lgpdAcceptedAt: consent.lgpdAcceptedAt,
    lgpdText: consent.lgpdText,
    extraInfo: added.length + removed.length === 0 ? target.extraInfo : numbered([...kept, ...added]),
  }
}

type Changes = { before: MergedFields; after: MergedFields; added: ExtraField[]; removed?: ExtraField[] }
/**
 * The target's fields after the undo. A field that was changed since the merge keeps its value; fields that came from the source go, and those
 * that the merge removed return.
 */
export function unmergedFields(now: MergedFields, { before, after, added, removed = [] }: Changes): MergedFields {
  const isUntouched = (name: keyof MergedFields) => JSON.stringify(now[name]) === JSON.stringify(after[name])
  const own = now.extraInfo.filter((one) => !has(added, one))
  const returned = removed.filter((one) => !has(own, one))
  const consent = isUntouched('lgpdAcceptedAt') ? before : now
  return {
    email: isUntouched('email') ? before.email : now.email,
    lgpdAcceptedAt: consent.lgpdAcceptedAt,
    lgpdText: consent.lgpdText,
    extraInfo: isUntouched('extraInfo') ? before.extraInfo : numbered([...own, ...returned]),
  }
}
