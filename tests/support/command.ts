import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'

/** The result of an operator's command that ran from a shell. */
export type CommandOutput = { code: number | null; out: string; err: string }

const sources = new URL('../../app/', import.meta.url).pathname
/** A file of `app/` as processes run it: bundled in tests, unbundled in benchmarks. */
export function bundled(file: string): string {
  const bundle = process.env.GUICHE_TEST_BUNDLE
  return bundle && !file.startsWith('..') ? path.join(bundle, 'app', file.replace(/\.ts$/, '.js')) : path.join(sources, file)
}

export function begin(
  file: string,
  args: string[],
  env: Record<string, string>,
  input?: string,
): { child: ChildProcess; told: Promise<CommandOutput> } {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [bundled(file), ...args], {
    stdio: 'pipe',
    env: { PATH, HOME, NODE_COMPILE_CACHE, LOG_LEVEL: 'warn', ...env },
  })
  child.stdin!.end(input ?? '')
  const told: CommandOutput = { code: null, out: '', err: '' }
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    told.out += text
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    told.err += text
  })
  return {
    child,
    told: new Promise((resolve) => child.once('close', (code) => resolve({ ...told, code }))),
  }
}

export const command = (file: string, args: string[], env: Record<string, string>, input?: string): Promise<CommandOutput> =>
  begin(file, args, env, input).told
