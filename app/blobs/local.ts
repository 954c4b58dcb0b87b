import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Blobs } from './blobs.ts'

/** Stores files in a local folder. */
export function localBlobs(folder: string): Blobs {
  const at = (key: string) => path.join(folder, ...key.split('/'))
  return {
    open: async () => void (await mkdir(folder, { recursive: true })),
    async put(key, { path: file }) {
      const home = path.dirname(at(key))
      const made = await mkdir(home, { recursive: true })
      await sync(file)
      await rename(file, at(key))
      for (let of = home; ; of = path.dirname(of)) {
        await sync(of)
        if (!made || of === path.dirname(made)) return
      }
    },
    async read(key, range) {
      const handle = await unlessMissing(open(at(key)))
      return handle?.createReadStream(range) ?? null
    },
    async stat(key) {
      const found = await unlessMissing(stat(at(key)))
      return found?.isFile() ? { size: found.size } : null
    },
    remove: (key) => rm(at(key), { force: true }),
    async *list(prefix = '') {
      const found = await unlessMissing(opendir(folder, { recursive: true }))
      for await (const one of found ?? []) {
        if (!one.isFile()) continue
        const file = path.join(one.parentPath, one.name)
        const key = path.relative(folder, file).split(path.sep).join('/')
        const size = key.startsWith(prefix) ? (await unlessMissing(stat(file)))?.size : undefined
        if (size !== undefined) yield { key, size }
      }
    },
    exists: async () => (await unlessMissing(stat(folder)))?.isDirectory() ?? false,
  }
}

const unlessMissing = <T>(result: Promise<T>): Promise<T | null> =>
  result.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })

/** Syncs a file or folder. A file survives a power failure only if the folder with its name is synced too. */
async function sync(of: string): Promise<void> {
  const handle = await open(of)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
