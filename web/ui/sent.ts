import { atom, useSetAtom } from 'jotai'
import type { CallOptions } from '#web/api.ts'
import type { FormFile } from './changed.ts'

/** Upload progress of a form's file from 0 to 1; null without an upload. */
export const leftAtom = atom<number | null>(null)

/** Saves a form with its chosen file, if any. */
export function useSent(): <T>(file: FormFile | undefined, save: (how: CallOptions) => Promise<T>) => Promise<T> {
  const setLeft = useSetAtom(leftAtom)
  return (file, save) =>
    file instanceof File ? save({ files: [{ field: 'file', file }], progress: setLeft }).finally(() => setLeft(null)) : save({})
}
