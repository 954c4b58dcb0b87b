import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { type ProjectName, projectNames, testFiles } from './projects.ts'
import { slowness } from './support/slowness.ts'
import { stallMs } from './support/wait.ts'

/** Runs project by project, so that files of one project share their worker processes. */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) => projectNames.indexOf(project.name as ProjectName)
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

/** The time limit of a test in milliseconds. Every wait inside it gives up earlier if nothing changes. */
const hangsMs = Math.round(15 * 60_000 * slowness())
const files = testFiles()

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: './tests/support/postgres.ts',
    sequence: { sequencer: ByProject },
    projects: projectNames.map((name) => ({
      test: {
        name,
        environment: 'node',
        pool: 'forks',
        isolate: false, // the files of a project share its processes, because loading the app takes seconds
        include: files[name],
        setupFiles: ['./tests/support/processor-time.ts', ...(name === 'browser' ? ['./tests/support/failed-pages.ts'] : [])],
        ...(name === 'browser' && { globalSetup: './tests/support/chromium.ts' }),
        maxWorkers: 3, // two cores are busy with it; four workers need half as much processor time again for the same tests
        testTimeout: hangsMs,
        hookTimeout: hangsMs,
        expect: { poll: { timeout: stallMs } },
      },
    })),
  },
})
