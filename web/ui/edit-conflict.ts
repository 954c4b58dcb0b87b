import { useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import type { Static, TObject } from 'typebox'
import { ApiError } from '#web/api.ts'
import { bodyOf, changed } from './changed.ts'
import { mergeEdits } from './merge-edits.ts'

/** Two edits of one part of a field, in words. `take` puts the other person's part into the value of the field. */
export type PartClash = { key: string; label: string; mine: string; theirs: string; take: (value: any) => unknown }
/** Merges two edits of a field that has parts, such as a tree. */
export type FieldMerger = (start: any, theirs: any, mine: any) => { value: unknown; clashes: PartClash[] }
export type Edited = { version: number; reread: () => Promise<unknown> }

type Named = { name: string }
export type Theirs<V> = { values: V; parts: (PartClash & Named)[] } & ReturnType<typeof mergeEdits<V & object>>
type Base<B extends TObject> = { start: Static<B>; version: number | undefined }

/**
 * Saves a form whose row another person may have changed. After a conflict, the other person's changes enter the form
 * except in edited fields, and fields with parts are merged by part. If no edit clashes the form saves at once;
 * otherwise it waits with the clashes.
 */
export function useConflictingEdits<B extends TObject, V extends Static<B> & FieldValues>(of: {
  form: UseFormReturn<V, unknown, V>
  body: B
  edits: Edited | undefined
  mergers: Partial<Record<string, FieldMerger>>
  onBase: (base: Base<B>) => void
  onSubmit: (body: Static<B>, change: Partial<Static<B>>) => Promise<unknown>
}) {
  const { form, body, edits, mergers } = of
  const [theirs, setTheirs] = useState<Theirs<V> | null>(null)
  const put = (name: string, value: unknown) => form.setValue(name as Path<V>, value as V[Path<V>], { shouldDirty: true })

  async function save(values: V, { start, version }: Base<B>): Promise<unknown> {
    const change = { ...changed(start as object, values), ...(version !== undefined && { version }) }
    try {
      return await of.onSubmit(values, change as Partial<Static<B>>)
    } catch (error) {
      if (!(edits && error instanceof ApiError && error.code === 'ERR_ROW_CHANGED')) throw error
      const row = (await edits.reread()) as { version: number }
      const now = bodyOf(body, row) as V
      const { taken, clashing } = mergeEdits(start as V, now, values)
      for (const name of taken) put(name, now[name])
      const parts: Theirs<V>['parts'] = []
      for (const name of clashing) {
        const merged = mergers[name]?.((start as V)[name], now[name], values[name])
        if (merged) put(name, merged.value)
        parts.push(...(merged?.clashes ?? []).map((clash) => ({ ...clash, name })))
      }
      const whole = clashing.filter((name) => !mergers[name])
      const base = { start: now, version: row.version }
      of.onBase(base)
      if (whole.length + parts.length === 0) return save(form.getValues(), base)
      setTheirs({ values: now, parts, taken, clashing: whole })
      return false
    }
  }
  const takeField = (name: keyof V & string): void => {
    if (!theirs) return
    put(name, theirs.values[name])
    setTheirs({ ...theirs, clashing: theirs.clashing.filter((one) => one !== name), taken: [...theirs.taken, name] })
  }
  const takePart = ({ name, key, take }: PartClash & Named): void => {
    if (!theirs) return
    put(name, take(form.getValues(name as Path<V>)))
    setTheirs({ ...theirs, parts: theirs.parts.filter((one) => one.name !== name || one.key !== key) })
  }
  return { theirs, save, takeField, takePart }
}
