import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export type Service = {
  image?: string
  extends?: { file: string; service: string }
  profiles?: string[]
  read_only?: boolean
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  mem_limit?: string
  pids_limit?: number
  restart?: string
  logging?: { options?: Record<string, string> }
  environment?: Record<string, string | number>
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { disable?: boolean }
  volumes?: string[]
  secrets?: string[]
  networks?: string[] | Record<string, { aliases?: string[] }>
  network_mode?: string
  entrypoint?: string[]
  command?: string[]
  ports?: string[]
  build?: { context: string; dockerfile: string }
}
export type Compose = {
  services: Record<string, Service>
  volumes: Record<string, object>
  networks: Record<string, { internal?: boolean }>
  secrets: Record<string, { file: string }>
}

export const folder = fileURLToPath(new URL('../../docker', import.meta.url))
export const text = (name: string): string => readFileSync(path.join(folder, name), 'utf8')
export const read = (name: string): Compose => parse(text(name), { merge: true }) as Compose

/** Merges two files as Compose does: maps are merged, lists joined (volumes by mount point), commands replaced. */
export function over<T>(below: T, above: unknown, key = ''): T {
  if (above === undefined) return below
  if (Array.isArray(below) && Array.isArray(above) && key === 'volumes')
    return [...new Map([...below, ...above].map((one: string) => [one.split(':')[1], one])).values()] as T
  if (Array.isArray(below) && Array.isArray(above) && !['command', 'entrypoint', 'test'].includes(key)) return [...below, ...above] as T
  if (!isMap(below) || !isMap(above)) return above as T
  return Object.fromEntries(
    [...new Set([...Object.keys(below), ...Object.keys(above)])].map((name) => [name, over(below[name], above[name], name)]),
  ) as T
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function extended(compose: Compose): Compose {
  const services = Object.entries(compose.services ?? {}).map(([name, { extends: from, ...own }]) => {
    const whole = from ? over(read(from.file).services[from.service]!, own) : own
    return [name, whole] as const
  })
  return { ...compose, services: Object.fromEntries(services) }
}

const only = (compose: Compose, profile: string): Compose => ({
  ...compose,
  services: Object.fromEntries(Object.entries(compose.services).filter(([, { profiles }]) => !profiles || profiles.includes(profile))),
})

const base = read('compose.yml')
const cluster = over(base, extended(read('cluster.yml')))
const bucket = over(base, read('s3.yml'))
const atMeta = over(base, read('meta.yml'))

/** The services of each of the three commands, and variants with an S3 bucket and with an app at Meta. */
export const ways = {
  'one node': only(base, 'full'),
  'a cluster': only(cluster, 'full'),
  simple: only(base, 'simple'),
  'simple, files in a bucket': only(bucket, 'simple'),
  'simple, with an app at Meta': only(atMeta, 'simple'),
}
export const whole = {
  'compose.yml': base,
  'compose.yml and cluster.yml': cluster,
  'compose.yml and s3.yml': bucket,
  'compose.yml and meta.yml': atMeta,
}
