import { digits, numberKey } from './rules.ts'

/** An id of a person or group at a provider: a phone number, a provider id (WhatsApp: lid; Meta: scoped) or a group id. */
export type Identity = { kind: 'phone' | 'lid' | 'scoped' | 'group'; id: string }

export const withoutServer = (id: string): string => id.split('@')[0]!

/** The key of the exact phone number, for people who share the short key of `numberKey`. */
export const exactKey = (number: string): string => `+${digits(number)}`
/** The keys under which an identity may be stored, the most exact first. */
export function keysOf({ kind, id }: Identity): [first: string, ...others: string[]] {
  if (kind === 'phone') return [exactKey(id), numberKey(id)]
  return [kind === 'lid' ? withoutServer(id) : id]
}
/** The key under which an identity is stored and compared. */
export const identityKeyOf = (identity: Identity): string => keysOf(identity).at(-1)!

type Keyed = { kind: string; key: string }
/** Whether two sets of ids can belong to one person: different ids of one kind are different people (A-PHONE-02). */
export const canBeSame = (known: readonly Keyed[], reported: readonly Keyed[]): boolean =>
  ['lid', 'scoped', 'group'].every((kind) => {
    const [ours, theirs] = [known, reported].map((ids) => ids.filter((one) => one.kind === kind))
    return ours!.length === 0 || theirs!.length === 0 || theirs!.some(({ key }) => ours!.some((one) => one.key === key))
  })
