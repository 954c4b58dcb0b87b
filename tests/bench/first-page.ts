import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Figure } from './bench.ts'
import { round } from './measure.ts'

const root = path.resolve(import.meta.dirname, '../..')
export const firstPage: Figure = async () => {
  const out = mkdtempSync(path.join(tmpdir(), 'guiche-bench-web-'))
  try {
    const built = spawnSync(
      process.execPath,
      [
        path.join(root, 'node_modules/vite/bin/vite.js'),
        'build',
        '--config',
        path.join(root, 'web/vite.config.ts'),
        '--outDir',
        out,
        '--emptyOutDir',
        '--logLevel',
        'error',
      ],
      { cwd: root, encoding: 'utf8' },
    )
    const from = built.status === 0 ? out : path.join(root, 'web/dist')
    if (built.status !== 0) console.error(`  P17: the client does not build; web/dist is measured instead\n${built.stderr.slice(0, 500)}`)
    if (!existsSync(path.join(from, 'index.html'))) throw new Error('No built client exists')
    const page = readFileSync(path.join(from, 'index.html'), 'utf8')
    const entry = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js|[\w-]+\.js)"/g)].map(([, file]) => file!)
    const assets = readdirSync(path.join(from, 'assets'))
    const sizes = new Map<string, number>()
    for (const file of entry) walk(from, file, sizes)
    const all = total(sizes)
    const css = assets
      .filter((name) => /^(index|first|libraries)-[\w-]+\.css$/.test(name))
      .reduce((sum, name) => sum + zipped(from, `assets/${name}`), 0)
    return [
      {
        figure: 'P17',
        what: 'JavaScript of the first route (/tickets), gzip: the scripts of the page with shell and list, and all their static imports',
        ours: `${round(all / 1000)} kB in ${sizes.size} files (CSS ${round(css / 1000)})`,
        floor: '129 kB shell',
        goal: '≤ 175 kB (CSS ≤ 50)',
        reference: '–',
        held: all <= 175_000,
        raw: { all, css, files: Object.fromEntries([...sizes].toSorted((a, b) => b[1] - a[1])) },
      },
    ]
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

const zipped = (from: string, file: string) => gzipSync(readFileSync(path.join(from, file)), { level: 9 }).length
const total = (sizes: Map<string, number>) => [...sizes.values()].reduce((sum, size) => sum + size, 0)

/** Walks a chunk and its static imports; dynamic imports are loaded on demand. */
function walk(from: string, file: string, sizes: Map<string, number>): void {
  if (sizes.has(file)) return
  sizes.set(file, zipped(from, file))
  const text = readFileSync(path.join(from, file), 'utf8')
  for (const [, next] of text.matchAll(/(?:from|import) ?"(\.\.?\/[^"]+\.js)"/g)) walk(from, path.join(path.dirname(file), next!), sizes)
}
