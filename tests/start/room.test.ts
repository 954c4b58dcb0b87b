import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { folder } from './compose.ts'

/* Memory settings that Node takes from its command line and libc only from the environment (P15). */
const room = ['--max-semi-space-size=8', 'MALLOC_ARENA_MAX']
const starting = ['docker/Dockerfile', 'docker/guiche.service', 'app/setup.mjs', 'tests/support/processes.ts', 'docker/README.md']

it.each(starting)('a process gets the same memory settings from %s', (file) => {
  const told = readFileSync(path.join(folder, '..', file), 'utf8')
  expect(room.filter((one) => told.includes(one))).toEqual(room)
})
