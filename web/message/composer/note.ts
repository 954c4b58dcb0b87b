/** Whether the file is a recording of this client, by its type and name. */
const isRecording = ({ name, type }: File) => type === 'audio/webm' && name.startsWith('voz-')
/**
 * Converts a recording to Ogg with Opus, as phones do. Other files, and all files if this browser cannot convert,
 * stay unchanged.
 */
export async function asNote(file: File): Promise<File> {
  if (!isRecording(file)) return file
  const made = await oggOf()
    .then(({ ogg }) => ogg(file))
    .catch(() => null)
  return made ? new File([made], file.name.replace(/\.\w+$/, '.ogg'), { type: 'audio/ogg' }) : file
}
/** Loads the converter while a recording runs. */
export const oggOf = () => import('./ogg.ts')
