/** A recording as phones keep and play it, Ogg with Opus; as it is where this browser cannot make that of it. */
export async function asNote(recording: File): Promise<File> {
  if (recording.type === 'audio/ogg') return recording
  const made = await oggOf()
    .then(({ ogg }) => ogg(recording))
    .catch(() => null)
  return made ? new File([made], recording.name.replace(/\.\w+$/, '.ogg'), { type: 'audio/ogg' }) : recording
}
/** Fetched while somebody speaks. */
export const oggOf = () => import('./ogg.ts')
