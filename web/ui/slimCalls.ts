import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { Calls } from '#domain/contract.ts'

/**
 * The browser calls without validating, so it needs only the path and the gate of each call, and the shapes of the
 * forms it shows (20 of 239 kB). The gates are in `domain/access.ts`.
 */
export function slimCalls(web: string): Plugin {
  const file = path.join(web, 'calls.ts')
  return {
    name: 'slim-calls',
    apply: 'build',
    enforce: 'pre',
    async load(id) {
      if (id !== file) return undefined
      const { groups } = (await import(pathToFileURL(file).href)) as { groups: Record<string, Calls> }
      const access = (await import(pathToFileURL(path.join(web, '../domain/access.ts')).href)) as Record<string, unknown>
      const gates = new Map(Object.entries(access).map(([name, gate]) => [gate, name]))
      const named = new Set<string>()
      const call = ([name, { method, path, may }]: [string, Calls[string]]) => {
        const gate = gates.get(may)
        if (!gate) throw new Error(`The gate of ${method} ${path} is not exported by domain/access.ts`)
        named.add(gate)
        return `${name}:{method:'${method}',path:'${path}',may:${gate}}`
      }
      const all = Object.entries(groups).map(([name, calls]) => `${name}:{${Object.entries(calls).map(call).join()}}`)
      return `import { ${[...named].join()} } from '#domain/access.ts'\nexport const groups = {${all.join()}}`
    },
  }
}
