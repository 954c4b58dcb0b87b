import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { PurgeCSS } from 'purgecss'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const core = path.join(path.dirname(require.resolve('@blueprintjs/core/package.json')), 'lib')
const named: Record<string, unknown> = require('@blueprintjs/core/lib/cjs/common/classes.js')
const read = (file: string) => readFileSync(file, 'utf8')

/** Keeps only the rules of Blueprint's style sheet that our imported components can use. */
export async function purge(css: string, web: string): Promise<string> {
  const worn = classesOf(web)
  const [left] = await new PurgeCSS().purge({
    css: [{ raw: css }],
    content: [{ raw: worn.join(' '), extension: 'txt' }],
    defaultExtractor: (text) => text.split(' '),
    dynamicAttributes: ['class'], // as in :not([class*='bp6-intent-'])
    // keeps rules of other class names, and classes that Blueprint builds from a value
    safelist: [
      /^(?!bp6-)/,
      /^bp6-(intent|align|elevation|position)-/,
      /^bp6-icon-(standard|large)$/,
      /-(enter|exit|appear|top|bottom|left|right|in-portal|inline)(-|$)/,
    ],
  })
  return left!.css
}

/** The classes that our sources use, and those of every Blueprint module that they import. */
function classesOf(web: string): string[] {
  const ours = globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['dist/**'] }).map((file) => read(path.join(web, file)))
  const homes = new Map(
    [...read(path.join(core, 'esm/components/index.js')).matchAll(/export \{([^}]*)\} from "\.\/([^"]+)"/g)].flatMap(([, names, home]) =>
      names!.split(',').map((name) => [name.trim().split(' as ').at(-1)!, path.join(core, 'esm/components', `${home}.js`)] as const),
    ),
  )
  const imported = ours.flatMap((text) =>
    [...text.matchAll(/import \{([^}]*)\} from '@blueprintjs\/core'/g)].flatMap(
      ([, names]) => names!.split(',').map((name) => name.trim().split(' as ')[0]!), // the original name of a renamed import
    ),
  )
  const reached = new Set(imported.flatMap((name) => homes.get(name) ?? []))
  for (const file of reached)
    for (const [, from] of read(file).matchAll(/from "(\.[^"]+)"/g)) {
      const next = path.join(path.dirname(file), `${from}.js`)
      if (!next.includes(`${path.sep}common${path.sep}`) && globSync(next).length > 0) reached.add(next)
    }
  // minimal, large and similar classes, chosen by a function
  const chosen = read(path.join(core, 'esm/common/classes.js')).split('export function').slice(1).join()
  const names = [chosen, ...[...reached].map((file) => read(file).replaceAll('Classes.', ' '))].flatMap((text) =>
    text.match(/\b[A-Z][A-Z0-9_]+\b/g),
  )
  const used = names.map((name) => name && named[name])
  return [...used, ...ours.flatMap((text) => text.match(/bp6-[a-z0-9-]+/g) ?? [])].filter((one) => typeof one === 'string')
}

export const unusedBlueprint = (web: string): Plugin => ({
  name: 'unused-blueprint',
  enforce: 'pre',
  async transform(code, id) {
    return /@blueprintjs\/core\/lib\/css\/blueprint\.css/.test(id) ? { code: await purge(code, web), map: null } : undefined
  },
})
