import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const node = { environment: 'node', pool: 'forks' } as const
/** After the others, one file at a time: what starts whole processes or a browser needs the machine. */
const alone = (groupOrder: number) => ({ fileParallelism: false, sequence: { groupOrder } })

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: './tests/kit/postgres.ts',
    projects: [
      {
        test: {
          ...node,
          name: 'node',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/browser/**', 'tests/faults/**'],
          testTimeout: 20_000,
          hookTimeout: 20_000,
        },
      },
      {
        test: {
          ...node,
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          ...alone(1),
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...node,
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          expect: { poll: { timeout: 10_000 } }, // a busy machine takes its time
          ...alone(2),
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
