import { digits, numberKey } from './rules.ts'

/** A name that a provider gives a person: a phone number, an id of its own (WhatsApp: lid; Meta: scoped), or that of a group. */
export type Identity = { kind: 'phone' | 'lid' | 'scoped' | 'group'; id: string }

export const withoutServer = (id: string): string => id.split('@')[0]!

/** A phone number as it is told, for whoever shares the short key of `numberKey` with somebody else. */
export const exactKey = (number: string): string => `+${digits(number)}`
/** The keys under which an identity may be stored, the more exact one first. */
export function keysOf({ kind, id }: Identity): [first: string, ...others: string[]] {
  if (kind === 'phone') return [exactKey(id), numberKey(id)]
  return [kind === 'lid' ? withoutServer(id) : id]
}
/** The key under which an identity is stored and compared. */
export const identityKeyOf = (identity: Identity): string => keysOf(identity).at(-1)!

type Keyed = { kind: string; key: string }
/** Whether the one who is told by some ids can be the one who is known by others: two ids of one kind are two people (A-PHONE-02). */
export const canBeSame = (known: readonly Keyed[], told: readonly Keyed[]): boolean =>
  ['lid', 'scoped', 'group'].every((kind) => {
    const [ours, theirs] = [known, told].map((ids) => ids.filter((one) => one.kind === kind))
    return ours!.length === 0 || theirs!.length === 0 || theirs!.some(({ key }) => ours!.some((one) => one.key === key))
  })
