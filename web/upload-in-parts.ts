import { partBytes } from '#domain/upload/rules.ts'
import { Offline } from './http-transport.ts'

export type FileToSend = { field: string; file: Blob; name?: string }
/** The part of the options of a call (web/api.ts) that its upload needs. */
export type UploadOptions = { files?: FileToSend[]; progress?: (share: number) => void; signal?: AbortSignal; commandId: string }
/** A file that the server has received in parts. `size` in bytes. */
export type ArrivedFile = { key: string; field: string; name: string; size: number; type: string }
export type SendPart = (ask: { body: { key: string; position: number } }, how: Omit<UploadOptions, 'commandId'>) => Promise<unknown>

/** The server does not have the parts that it received. */
export class PartsLostError extends Error {}
/** How often an upload may find fewer bytes than it sent. */
const mostLosses = 3

/** Milliseconds until a part is tried again after the connection was lost. */
const pauses = [500, 2000, 5000]

/**
 * Uploads the files of a call in parts of `partBytes`, each from where the server has it (A-UPLOAD-01). Returns the
 * options of the call that receives them. The files of one command keep their keys, also after a reload.
 */
export async function uploadInParts<Options extends UploadOptions>(sendPart: SendPart, how: Options) {
  const { files = [], progress, signal, commandId } = how
  const total = files.reduce((sum, { file }) => sum + file.size, 0)
  /** The call itself is the rest: until it has begun, the server cannot have executed it. */
  const share = (bytes: number) => progress?.((bytes / total) * 0.99)
  const arrived: ArrivedFile[] = []
  let before = 0
  for (const [index, given] of files.entries()) {
    const { field, file } = given
    const key = [commandId, index, file.size, file instanceof File ? file.lastModified : 0].join('-')
    await uploadFile({ file, key, sendPart, signal, share: (bytes) => share(before + bytes) })
    arrived.push({ key, field, name: nameOf(given), size: file.size, type: file.type })
    before += file.size
  }
  return { ...how, files: [], arrived, progress: (done: number) => done === 1 && progress?.(1) }
}
export const nameOf = ({ file, name }: FileToSend): string => name ?? (file instanceof File ? file.name : 'file')

type Uploading = { file: Blob; key: string; sendPart: SendPart; signal: AbortSignal | undefined; share: (bytes: number) => void }
async function uploadFile({ file, key, sendPart, signal, share }: Uploading): Promise<void> {
  let [failures, losses] = [0, 0]
  for (let position = 0; position < file.size; ) {
    const part = file.slice(position, position + partBytes, file.type)
    try {
      const { bytes } = (await sendPart(
        { body: { key, position } },
        {
          files: [{ field: 'part', file: part }],
          progress: (done) => share(position + done * part.size),
          ...(signal && { signal }),
        },
      )) as { bytes: number }
      failures = 0
      if (bytes <= position && ++losses > mostLosses) throw new PartsLostError()
      position = bytes
      share(position)
    } catch (error) {
      const pause = pauses[failures++]
      if (!mayPass(error) || pause === undefined) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
      signal?.throwIfAborted()
    }
  }
}
/** No connection, or too many calls in this second. */
const mayPass = (error: unknown): boolean => error instanceof Offline || (error as { status?: number } | null)?.status === 429
