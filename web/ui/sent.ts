import { atom, useSetAtom } from 'jotai'
import type { CallOptions } from '#web/api.ts'
import type { FormFile } from './changed.ts'

/** The share of a form's file that has left, while it is on its way. */
export const leftAtom = atom<number | null>(null)

/** Saves a form with the file that was chosen in it, if one was. */
export function useSent(): <T>(file: FormFile | undefined, save: (how: CallOptions) => Promise<T>) => Promise<T> {
  const setLeft = useSetAtom(leftAtom)
  return (file, save) =>
    file instanceof File ? save({ files: [{ field: 'file', file }], progress: setLeft }).finally(() => setLeft(null)) : save({})
}
