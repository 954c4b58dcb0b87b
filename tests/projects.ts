import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** In the order of their start: the slowest first, so that the run ends with short files. */
export const projectNames = ['faults', 'browser', 'integration', 'http', 'unit'] as const
export type ProjectName = (typeof projectNames)[number]

const support = (name: string) => path.join('tests', 'support', `${name}.ts`)
/**
 * A test file that imports one of these belongs to `integration`: other processes, a database of its own, a
 * provider's server.
 */
const parts = ['processes', 'postgres', 'embedded', 'browser-env', 'command', 'redis', 'eventstore'].map(support)
const httpServer = support('server')

/** `unit` needs only its process; `http` runs the whole app in it; `faults` and `browser` are folders. */
function projectOf(file: string): ProjectName {
  const [, folder] = file.split(path.sep)
  if (folder === 'faults' || folder === 'browser') return folder
  const reached = reachedFrom(file)
  if (reached.has(httpServer)) return 'http'
  const spawns = /\bspawn\b.* from 'node:child_process'/.test(readFileSync(path.join(root, file), 'utf8'))
  return spawns || parts.some((part) => reached.has(part)) ? 'integration' : 'unit'
}

/** The test and support files that a test file imports, directly or not. */
function reachedFrom(file: string, seen = new Set<string>()): Set<string> {
  for (const found of importsOf(file)) {
    if (seen.has(found)) continue
    seen.add(found)
    if (found !== httpServer) reachedFrom(found, seen)
  }
  return seen
}

const known = new Map<string, string[]>()
function importsOf(file: string): string[] {
  const before = known.get(file)
  if (before) return before
  const text = readFileSync(path.join(root, file), 'utf8')
  const names = [...text.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '(#tests\/|\.{1,2}\/)([^']+)'/gms)]
  const files = names.map(([, base, name]) =>
    base === '#tests/' ? path.join('tests', name!) : path.join(path.dirname(file), `${base}${name}`),
  )
  const found = files.filter((one) => existsSync(path.join(root, one)))
  known.set(file, found)
  return found
}

/** Every test file by its project. */
export function testFiles(): Record<ProjectName, string[]> {
  const files = globSync('tests/**/*.test.ts', { cwd: root }).toSorted()
  const byProject = Map.groupBy(files, projectOf)
  return Object.fromEntries(projectNames.map((name) => [name, byProject.get(name) ?? []])) as Record<ProjectName, string[]>
}
