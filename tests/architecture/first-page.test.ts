import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The files that the ticket list needs: the entry and what it loads itself. */
const begins = ['web/main.tsx', 'web/shell/Shell.tsx', 'web/ticket/Inbox.tsx']

/** The static imports of a file, without types and dynamic imports. */
const brings = (file: string) =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(/^(?:import|export)\s(?!type\s)(?:([^'"]*?)\sfrom\s)?'([^']+)'/gm)]
    .filter(([, names]) => names === undefined || !/^\{(\s*type [^,}]+,?)+\s*\}$/.test(names))
    .map(([, , from]) => from!)

function walk(file: string, files: Set<string>, packages: Set<string>): void {
  if (files.has(file)) return
  files.add(file)
  for (const from of brings(file)) {
    if (/\.(css|svg)$/.test(from)) continue
    if (from.startsWith('#')) walk(from.slice(1), files, packages)
    else if (from.startsWith('.')) walk(path.posix.join(path.posix.dirname(file), from), files, packages)
    else packages.add(from)
  }
}

describe('the first page', () => {
  const [files, packages] = [new Set<string>(), new Set<string>()]
  for (const file of begins) walk(file, files, packages)

  it('loads only these packages', () => {
    expect([...packages].toSorted()).toEqual([
      ...['@blueprintjs/core', '@blueprintjs/icons', 'i18next', 'idb-keyval', 'jotai', 'jotai-family'],
      ...['react', 'react-dom', 'react-dom/client', 'react-i18next', 'typebox', 'wouter'],
    ])
  })
  it('loads no texts of other screens', () => {
    const words = [...files].filter((file) => /^web\/.*words\.ts$/.test(file))
    expect(
      words.filter((file) => /^web\/(connection|queue|user|history|setting|kanban|chatbot|sandbox|contact)\/words\.ts$/.test(file)),
    ).toEqual([])
  })
  it('loads only typebox’s builders, not its validator, which is four times as large', () => {
    const contracts = readdirSync(path.join(root, 'domain'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('contract.ts'),
    )
    expect(contracts.length).toBeGreaterThan(20)
    const built = new Set([
      'String',
      'Object',
      'Optional',
      'Boolean',
      'Integer',
      'Array',
      'Enum',
      'Union',
      'Null',
      'Number',
      'Unknown',
      'Unsafe',
      'Literal',
    ])
    const others = contracts.flatMap((file) =>
      [...readFileSync(path.join(root, 'domain', file), 'utf8').matchAll(/\bType\.(\w+)\(/g)]
        .filter(([, name]) => !built.has(name!))
        .map(([call]) => `${file}: ${call}`),
    )
    expect(others).toEqual([])
  })
})
