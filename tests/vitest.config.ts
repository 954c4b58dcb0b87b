import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The files of a project share its processes: to load the house anew for each took a fifth of the run. */
const node = { environment: 'node', pool: 'forks', isolate: false } as const
/** After the others: what starts whole processes or a browser needs the machine. */
const later = (groupOrder: number, maxWorkers: number) => ({ maxWorkers, sequence: { groupOrder } })

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: './tests/support/postgres.ts',
    projects: [
      {
        test: {
          ...node,
          name: 'node',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/browser/**', 'tests/faults/**'],
          maxWorkers: 4, // on two cores: what waits for something leaves a tenth of them idle with three
          testTimeout: 60_000, // for one that hangs: a slow machine takes a third of it for what starts processes
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...node,
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          ...later(1, 3),
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...node,
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: './tests/support/chromium.ts',
          expect: { poll: { timeout: 10_000 } }, // a busy machine takes its time
          ...later(2, 3),
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
