import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'

/*
 * Processes that tests start load one bundled copy of the server instead of two thousand modules. That saves half
 * a second of processor time each.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = path.join(root, 'node_modules', '.cache', 'guiche-test-bundle')
const sources = ['app/**/*.ts', 'domain/**/*.ts', 'projections/**/*.ts', 'package-lock.json', 'tests/support/bundle.ts']
/** Packages with hundreds of modules. All others are loaded as installed. */
const inlined = ['typebox', 'kysely']

/** Builds the server and its commands, unless a build of exactly these sources exists. Returns the folder. */
export async function buildBundle(): Promise<string> {
  const target = path.join(folder, fingerprint())
  if (existsSync(target)) return target
  removeOldBuilds()
  const entries = globSync(['app/main.ts', 'app/commands/*.ts'], { cwd: root })
  const unfinished = `${target}-${process.pid}`
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [keepLocations],
    ssr: { noExternal: inlined, target: 'node' },
    build: {
      ssr: true,
      outDir: unfinished,
      copyPublicDir: false,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((file) => [file.replace(/\.ts$/, ''), path.join(root, file)])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  })
  renameSync(unfinished, target)
  return target
}

const dayMs = 24 * 3_600_000
function removeOldBuilds(): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const build = path.join(folder, name)
    if (statSync(build).mtimeMs < Date.now() - dayMs) rmSync(build, { recursive: true, force: true })
  }
}

/** Files beside the sources, such as migrations, are found from the place of the source. */
const keepLocations: Plugin = {
  name: 'keep-locations',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta.')) return null
    const url = JSON.stringify(pathToFileURL(id).href)
    return code.replaceAll('import.meta.url', url).replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)))
  },
}

function fingerprint(): string {
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd: root }).toSorted()) hash.update(`${file}\0`).update(readFileSync(path.join(root, file)))
  return hash.digest('hex').slice(0, 20)
}
