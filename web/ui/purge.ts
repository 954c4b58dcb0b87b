import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { PurgeCSS } from 'purgecss'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const core = path.join(path.dirname(require.resolve('@blueprintjs/core/package.json')), 'lib')
const named: Record<string, unknown> = require('@blueprintjs/core/lib/cjs/common/classes.js')
const read = (file: string) => readFileSync(file, 'utf8')

/** Blueprint ships one style sheet for all of its components: of it only the rules that what our screens import can wear. */
export async function purge(css: string, web: string): Promise<string> {
  const worn = classesOf(web)
  const [left] = await new PurgeCSS().purge({
    css: [{ raw: css }],
    content: [{ raw: worn.join(' '), extension: 'txt' }],
    defaultExtractor: (text) => text.split(' '),
    dynamicAttributes: ['class'], // as in :not([class*='bp6-intent-'])
    // what is no class of Blueprint's is left alone, and so are those it puts together from a value
    safelist: [
      /^(?!bp6-)/,
      /^bp6-(intent|align|elevation|position)-/,
      /^bp6-icon-(standard|large)$/,
      /-(enter|exit|appear|top|bottom|left|right|in-portal|inline)(-|$)/,
    ],
  })
  return left!.css
}

/** The classes that our sources write themselves, and those of every Blueprint module that they reach. */
function classesOf(web: string): string[] {
  const ours = globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['dist/**'] }).map((file) => read(path.join(web, file)))
  const homes = new Map(
    [...read(path.join(core, 'esm/components/index.js')).matchAll(/export \{([^}]*)\} from "\.\/([^"]+)"/g)].flatMap(([, names, home]) =>
      names!.split(',').map((name) => [name.trim().split(' as ').at(-1)!, path.join(core, 'esm/components', `${home}.js`)] as const),
    ),
  )
  const imported = ours.flatMap((text) =>
    [...text.matchAll(/import \{([^}]*)\} from '@blueprintjs\/core'/g)].flatMap(
      ([, names]) => names!.split(',').map((name) => name.trim().split(' as ')[0]!), // whatever we call it
    ),
  )
  const reached = new Set(imported.flatMap((name) => homes.get(name) ?? []))
  for (const file of reached)
    for (const [, from] of read(file).matchAll(/from "(\.[^"]+)"/g)) {
      const next = path.join(path.dirname(file), `${from}.js`)
      if (!next.includes(`${path.sep}common${path.sep}`) && globSync(next).length > 0) reached.add(next)
    }
  const chosen = read(path.join(core, 'esm/common/classes.js')).split('export function').slice(1).join() // minimal, large and their kin, by a function
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
