import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
const files = listed.split('\n').filter((file) => file !== '' && existsSync(path.join(root, file)))
const text = (file: string) => readFileSync(path.join(root, file), 'utf8')
const documents = files.filter((file) => path.basename(file) === 'README.md')
const folders = ['app', 'docker', 'domain', 'migrations', 'projections', 'tests', 'web']

/** The code spans of a document and the lines of its code blocks. */
const code = (file: string) => [...text(file).matchAll(/```\w*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, block, span]) => block ?? span!)
const faults = (faultsOf: (document: string) => string[]) =>
  documents.flatMap((document) => faultsOf(document).map((fault) => `${document}: ${fault}`))

describe('the documents', () => {
  it('are one page for the project and one for each top-level folder', () =>
    expect(documents).toEqual(expect.arrayContaining(['README.md', ...folders.map((folder) => `${folder}/README.md`)])))

  it('begin with a short first page', () => expect(text('README.md').split('\n').length - 1).toBeLessThanOrEqual(120))

  it('link only to files and headings that exist', () =>
    expect(
      faults((document) =>
        [...text(document).matchAll(/\]\((?!https?:)([^)#]*)(#[^)]*)?\)/g)].flatMap(([whole, to, heading]) => {
          const target = path.posix.join(path.posix.dirname(document), to || path.posix.basename(document))
          if (!existsSync(path.join(root, target))) return [whole]
          return heading && !headings(target).includes(heading) ? [whole] : []
        }),
      ),
    ).toEqual([]))

  it('name only paths that exist', () =>
    expect(
      faults((document) =>
        code(document).flatMap((one) => {
          const paths = one.match(new RegExp(`(?<![\\w/.-])(${folders.join('|')})/[\\w./-]+`, 'g')) ?? []
          const isFilter = one.startsWith('npm test -- ') // takes the beginning of a path
          return paths.filter(
            (at) => !(isFilter ? files.some((file) => file.startsWith(at)) : isCreated(at) || existsSync(path.join(root, at))),
          )
        }),
      ),
    ).toEqual([]))

  it('name only commands of package.json', () => {
    const scripts = Object.keys(JSON.parse(text('package.json')).scripts)
    expect(
      faults((document) =>
        code(document)
          .flatMap((one) => [...one.matchAll(/\bnpm (?:run )?([\w:-]+)/g)].map(([, name]) => name!))
          .filter((name) => !['ci', 'audit', ...scripts].includes(name)),
      ),
    ).toEqual([])
  })

  it('name only identifiers that the code has', () => {
    const sources = files.filter((file) => /\.(tsx?|mjs|ya?ml|json|txt|sh|css)$/.test(file) && !file.includes('package-lock'))
    const words = new Set(
      sources.filter((file) => file !== 'tests/architecture/documents.test.ts').flatMap((file) => text(file).match(/\w+/g)),
    )
    expect(
      faults((document) =>
        [...text(document).matchAll(/`([^`\n]+)`/g)]
          .flatMap(([, span]) => span!.match(/(?<![\w/.-])[A-Za-z]\w*(?:[a-z][A-Z]|_)\w*/g) ?? [])
          .filter((word) => !words.has(word)),
      ),
    ).toEqual([])
  })

  it('list every setting, and nothing that is no setting', () => {
    const declared = ['app/config.ts', 'app/meta/environment.ts'].flatMap((file) =>
      [...text(file).matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name!),
    )
    const [, section = ''] = /\n## Settings\n([\s\S]*?)\n## /.exec(text('docker/README.md')) ?? []
    const rows = [...section.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(([, name]) => name!)
    expect(declared.length).toBeGreaterThan(30)
    expect(rows.toSorted()).toEqual(declared.toSorted())
  })
})

/** Anchors of a document's headings, as GitHub makes them. */
const headings = (file: string) =>
  [...text(file).matchAll(/^#+ (.+)$/gm)].map(
    ([, title]) =>
      `#${title!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-')}`,
  )

/** Files that an operator or a build creates. */
const isCreated = (file: string) => /^(docker\/(secrets\/|\.env$)|web\/dist$)/.test(file)
