/** What a file list takes, and megabytes of it at most (R-FILE-02). */
export const fileListLimits = { image: 2, audio: 5, video: 20 } as const
export type FileListKind = keyof typeof fileListLimits

const taken: Record<FileListKind, RegExp> = {
  image: /^image\/(png|jpeg)$/,
  audio: /^audio\/(ogg|opus|mpeg|mp3)$/,
  video: /^video\/mp4$/,
}
/** Of what kind a file is for a file list; null where it takes none such. */
export const fileListKind = (mime: string): FileListKind | null =>
  (Object.keys(taken) as FileListKind[]).find((kind) => taken[kind].test(mime.split(';')[0]!.trim())) ?? null
