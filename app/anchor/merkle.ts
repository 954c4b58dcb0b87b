import { hash } from 'node:crypto'

/* The Merkle tree of RFC 6962: different prefixes for leaves and nodes prevent one from being used as the other. */

const sha256 = (...parts: Buffer[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer')
const ofLeaf = (text: string) => sha256(Buffer.of(0), Buffer.from(text))
const ofNode = (left: Buffer, right: Buffer) => sha256(Buffer.of(1), left, right)

/** The largest power of two below `n`. */
function split(n: number): number {
  let k = 1
  while (k * 2 < n) k *= 2
  return k
}

function treeOf(hashes: readonly Buffer[], from: number, to: number): Buffer {
  const n = to - from
  if (n === 0) return sha256()
  if (n === 1) return hashes[from]!
  const k = from + split(n)
  return ofNode(treeOf(hashes, from, k), treeOf(hashes, k, to))
}

export const rootOf = (leaves: readonly string[]): string => treeOf(leaves.map(ofLeaf), 0, leaves.length).toString('hex')

/** The sibling hashes on the path from a leaf to the root, lowest first. */
export function pathOf(leaves: readonly string[], index: number): string[] {
  const hashes = leaves.map(ofLeaf)
  const walk = (from: number, to: number): Buffer[] => {
    if (to - from === 1) return []
    const k = from + split(to - from)
    return index < k ? [...walk(from, k), treeOf(hashes, k, to)] : [...walk(k, to), treeOf(hashes, from, k)]
  }
  return walk(0, leaves.length).map((hash) => hash.toString('hex'))
}

/** Computes the root from a leaf and its path; null if the path does not fit a tree with `count` leaves. */
export function rootFrom(leaf: string, index: number, count: number, path: readonly string[]): string | null {
  if (!Number.isInteger(index) || index < 0 || index >= count || path.some((one) => !/^[0-9a-f]{64}$/.test(one))) return null
  const walk = (from: number, to: number, left: readonly string[]): Buffer | null => {
    if (to - from === 1) return left.length === 0 ? ofLeaf(leaf) : null
    const sibling = left.at(-1)
    if (sibling === undefined) return null
    const k = from + split(to - from)
    const own = index < k ? walk(from, k, left.slice(0, -1)) : walk(k, to, left.slice(0, -1))
    const other = Buffer.from(sibling, 'hex')
    return own && (index < k ? ofNode(own, other) : ofNode(other, own))
  }
  return walk(0, count, path)?.toString('hex') ?? null
}
