import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const under = (...folders: string[]) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(path.join(root, file)))
const text = (file: string) => readFileSync(path.join(root, file), 'utf8')
const web = under('web')
const sources = web.filter((file) => /\.tsx?$/.test(file))
const modules = web.filter((file) => file.endsWith('.module.css'))

/** The classes that a style sheet defines, without foreign ones. */
function classes(file: string): Set<string> {
  const css = text(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/:global\([^)]*\)/g, '')
  const selectors = [...css.matchAll(/([^{};]+)\{/g)].map(([, one]) => one!).filter((one) => !one.trim().startsWith('@'))
  return new Set(selectors.flatMap((one) => [...one.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name!)))
}

/** The classes that each source uses, by module. */
const asked = sources.flatMap((file) =>
  [...text(file).matchAll(/^import (\w+) from '([^']+\.module\.css)'/gm)].map(([, as, from]) => ({
    file,
    module: from!.startsWith('#') ? from!.slice(1) : path.posix.join(path.posix.dirname(file), from!),
    whole: new RegExp(`\\b${as}\\[`).test(text(file)), // accessed by a computed name
    names: new Set([...text(file).matchAll(new RegExp(`(?<![\\w./'-])${as}\\.(\\w+)`, 'g'))].map(([, name]) => name!)),
  })),
)

it('only theme tokens and Blueprint overrides are global styles', () => {
  const global = web.filter((file) => file.endsWith('.css') && !file.endsWith('.module.css'))
  expect(global.sort()).toEqual(['web/ui/blueprint.css', 'web/ui/overlays.css', 'web/ui/theme.css'])
  expect([...new Set(global.flatMap((file) => [...classes(file)]))].filter((name) => !name.startsWith('bp6-')).sort()).toEqual([
    'hidden-but-read',
    'nums',
    'plain',
  ])
  const worn = sources.flatMap((file) =>
    [...text(file).matchAll(/className="([^"]*)"/g)].flatMap(([, names]) => names!.split(' ').map((name) => `${file}: ${name}`)),
  )
  expect(worn.filter((one) => !/: (bp6-[\w-]+|nums|plain|hidden-but-read)$/.test(one))).toEqual([])
})

it('every used class exists in its module', () => {
  const missing = asked.flatMap(({ file, module, names }) =>
    [...names].filter((name) => !classes(module).has(name)).map((name) => `${file}: ${name} of ${module}`),
  )
  expect(missing).toEqual([])
})

it('every class and every style module is used', () => {
  const unworn = modules.flatMap((module) => {
    const by = asked.filter((one) => one.module === module)
    if (by.some(({ whole }) => whole)) return []
    return [...classes(module)].filter((name) => !by.some(({ names }) => names.has(name))).map((name) => `${module}: ${name}`)
  })
  expect(unworn).toEqual([])
  expect(modules.filter((module) => !asked.some((one) => one.module === module))).toEqual([])
})

it('every data-part that tests or sources look for exists, and no other', () => {
  const given = new Set(sources.flatMap((file) => [...text(file).matchAll(/ data-part="([\w-]+)"/g)].map(([, name]) => name!)))
  const sought = new Set(
    [...sources, ...under('tests').filter((file) => file.endsWith('.ts'))].flatMap((file) =>
      [...text(file).matchAll(/\[data-part=([\w-]+)\]/g)].map(([, name]) => name!),
    ),
  )
  expect([...sought.difference(given)]).toEqual([])
  expect([...given.difference(sought)]).toEqual([])
})
