/** The `docker compose` lines of docker/README.md, against the files that they are about. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { folder, text, ways, whole } from './compose.ts'

const readme = text('README.md')
const steps = [
  ...new Set([...readme.matchAll(/docker compose (?!lines)[a-z][^\n`]*/g)].map(([line]) => line.replace(/(?<=\S)[.,;:]$/, '').trim())),
]
const volumes = new Set(Object.values(whole).flatMap((one) => Object.keys(one.volumes ?? {})))
const services = new Set(Object.values(ways).flatMap((one) => Object.keys(one.services)))
const wordsAfter = (verb: string) =>
  steps.flatMap((line) => {
    const [, , name, ...rest] = line.split(' ')
    return name === verb ? [rest] : []
  })

it('need no option that names files or profiles, because .env does', () => {
  expect(steps.length).toBeGreaterThan(10)
  for (const line of steps) expect(line).not.toMatch(/ (-f|--file|--profile|-p) /)
  const example = text('.env.example')
  expect(example).toMatch(/^COMPOSE_PROFILES=full$/m)
  expect(example).toMatch(/^COMPOSE_FILE=compose\.yml$/m)
  const files = [...readme.matchAll(/`(compose\.yml(?::\w+\.yml)*)`/g)].flatMap(([, names]) => names!.split(':'))
  for (const file of new Set(files)) expect([file, existsSync(path.join(folder, file))]).toEqual([file, true])
})

it('name services and commands that exist', () => {
  const named = [
    ...wordsAfter('exec').map(([service]) => service!),
    ...wordsAfter('run').map((words) => words[words.indexOf('node') - 1]!),
    ...wordsAfter('stop').flat(),
    ...wordsAfter('rm').flatMap((words) => words.filter((word) => !word.startsWith('--'))),
    ...wordsAfter('cp')
      .flat()
      .flatMap((place) => (place.includes(':') ? [place.split(':')[0]!] : [])),
  ]
  expect(named.length).toBeGreaterThan(10)
  for (const service of named) expect([service, services.has(service)]).toEqual([service, true])
  for (const [, file] of steps.join('\n').matchAll(/node (app\/\S+\.ts)/g))
    expect([file, existsSync(path.join(folder, '..', file!))]).toEqual([file, true])
})

it('write and copy only below a volume, because a container is read-only', () => {
  for (const [from, to] of wordsAfter('cp')) expect(to === '.' ? from : to).toMatch(to === '.' ? /^worker:\/data\/./ : /^worker:\/data\/$/)
  expect(ways['one node'].services.worker!.volumes).toContain('media:/data')
  for (const [, file] of steps.join('\n').matchAll(/backup\.ts (\S+)/g)) expect(file).toMatch(/^\/data\//)
})

it('name volumes and networks that exist, and Prometheus a network that leads outside', () => {
  const named = [...readme.matchAll(/`?guiche_([\w-]+)`?/g)]
    .map(([, name]) => name!)
    .filter((name) => volumes.has(name) || name === 'front')
  expect(new Set(named)).toEqual(new Set(['node-certificates', 'authority', 'trust', 'front']))
  const { networks, services: all } = ways['one node']
  expect(networks.front?.internal ?? false).toBe(false)
  for (const name of ['web-1', 'web-2', 'projector', 'worker']) expect(all[name]!.networks).toContain('front')
  expect(readme).toMatch(/^ {4}name: guiche_front\n {4}external: true$/m)
})
