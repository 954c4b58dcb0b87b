import { contentType } from '../storage/inspector.ts'

export const megabyte = 1024 * 1024
/** Maximum megabytes by kind (A-MSG-07). */
export const limits = { image: 16, audio: 16, video: 64, application: 64 } as const
/** Maximum megabytes of all files of one call. */
export const callLimit = 128

/** The maximum megabytes of a file, by its first bytes. `claims`: the media type that the sender declared. */
export async function megabytesFor(first: Buffer, claims: string): Promise<number> {
  const kind = (await contentType({ bytes: first }))?.split('/')[0]
  return kind === 'image' || kind === 'audio' || (kind === 'video' && claims.startsWith('audio/')) ? limits.image : limits.application
}
