import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

const timeoutMs = 1000
const fileIn = (dataDir: string) => path.join(dataDir, 'server.address')

/** Records where the web process of a data folder listens, for the links that commands print. Returns a function that removes the record. */
export async function recordServerAddress(dataDir: string, url: string): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true })
  await writeFile(fileIn(dataDir), `${url}\n`)
  return async () => {
    const recorded = await readFile(fileIn(dataDir), 'utf8').catch(() => '')
    if (recorded.trim() === url) await rm(fileIn(dataDir), { force: true })
  }
}

/** The address of the web process that runs on a data folder; null if none answers. */
export async function findServerAddress(dataDir: string): Promise<string | null> {
  try {
    const url = (await readFile(fileIn(dataDir), 'utf8')).trim()
    const answer = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(timeoutMs) })
    return ((await answer.json()) as { alive?: boolean }).alive === true ? url : null
  } catch {
    return null
  }
}
