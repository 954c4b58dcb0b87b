import { describe, expect, it } from 'vitest'
import { pathOf, rootFrom, rootOf } from '#app/anchor/merkle.ts'

/* The test inputs and roots of RFC 6962. */
const inputs = ['', '\x00', '\x10', ' !', '01', '@ABC', 'PQRSTUVW', '`abcdefghijklmno']
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

describe('a Merkle tree', () => {
  it.each(roots.map((root, n) => [n, root] as const))('of %i leaves has the root of the standard', (n, root) =>
    expect(rootOf(inputs.slice(0, n))).toBe(root),
  )

  it('has a path from each leaf to the root, and from nothing else', () => {
    for (let n = 1; n <= 40; n += 1) {
      const leaves = Array.from({ length: n }, (_, i) => `leaf ${i}`)
      const root = rootOf(leaves)
      for (const [i, leaf] of leaves.entries()) {
        const path = pathOf(leaves, i)
        expect(rootFrom(leaf, i, n, path)).toBe(root)
        expect(rootFrom('another', i, n, path)).not.toBe(root)
        if (n > 1) expect(rootFrom(leaf, (i + 1) % n, n, path)).not.toBe(root)
        expect(rootFrom(leaf, i, n + 40, path)).not.toBe(root)
        if (n > 1) expect(rootFrom(leaf, i, n, path.slice(1))).not.toBe(root)
        expect(rootFrom(leaf, i, n, [...path, '0'.repeat(64)])).not.toBe(root)
      }
    }
  })

  it('rejects an invalid path', () => {
    for (const [index, count, path] of [
      [-1, 4, []],
      [4, 4, []],
      [0.5, 4, []],
      [0, 2, ['zz']],
      [0, 0, []],
    ] as const)
      expect(rootFrom('leaf', index, count, path)).toBeNull()
  })
})
