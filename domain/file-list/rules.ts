/** The kinds of files in a file list, with their maximum size in megabytes (R-FILE-02, A-FILE-02). */
export const fileListLimits = { image: 2, audio: 5, video: 20, document: 20 } as const
export type FileListKind = keyof typeof fileListLimits

const taken: Record<FileListKind, RegExp> = {
  image: /^image\/(png|jpeg)$/,
  audio: /^audio\/(ogg|opus|mpeg|mp3)$/,
  video: /^video\/mp4$/,
  document: /^(application\/(pdf|vnd\.openxmlformats-officedocument\.(wordprocessingml\.document|spreadsheetml\.sheet))|text\/plain)$/,
}
/** The kind of a file by its media type; null: not allowed in a file list. */
export const fileListKind = (mime: string): FileListKind | null =>
  (Object.keys(taken) as FileListKind[]).find((kind) => taken[kind].test(mime.split(';')[0]!.trim())) ?? null
