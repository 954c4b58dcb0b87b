/** How recordings of this device are named. */
const isRecording = ({ name, type }: File) => type === 'audio/webm' && name.startsWith('voz-')
/** A recording as phones keep and play it, Ogg with Opus; any other file, or where this browser cannot convert it, unchanged. */
export async function asNote(file: File): Promise<File> {
  if (!isRecording(file)) return file
  const made = await oggOf()
    .then(({ ogg }) => ogg(file))
    .catch(() => null)
  return made ? new File([made], file.name.replace(/\.\w+$/, '.ogg'), { type: 'audio/ogg' }) : file
}
/** Fetched while somebody speaks. */
export const oggOf = () => import('./ogg.ts')
