import type { ReactElement, ReactNode } from 'react'
import type { Static, TObject } from 'typebox'
import type { Call } from '#domain/contract.ts'
import type { FormOf } from './form-submission.ts'
import type { resourceList } from './resourceList.ts'
import type { Column } from './Table.tsx'

/** A simple list with its form: texts, calls, columns, and the form's fields as children. */
export type ResourceOf<R, B extends TObject> = Pick<FormOf<B>, 'beside' | 'short' | 'rules' | 'mergers'> & {
  list: ReturnType<typeof resourceList<R & { id: number }>>
  calls: {
    create: (ask: { body: Static<B> }) => Promise<unknown>
    find: (ask: { params: { id: number } }) => Promise<unknown>
    update: (ask: { params: { id: number }; body: Partial<Static<B>> }) => Promise<unknown>
    remove: (ask: { params: { id: number } }) => Promise<unknown>
  }
  body: B
  may: Call
  mayEdit?: (row: R) => boolean
  /** The list shows only a part of each row, so its form loads the whole row. */
  partial?: true
  mayRemove?: (row: R) => boolean
  texts: { title: string; add: string; edit: string; empty: string; lead: string }
  icon: ReactElement
  blank: () => Static<B>
  name: (row: R) => string
  columns: Column<R & { id: number }>[]
  warn?: string | ((row: R) => string)
  /** Stores the order that a user sets by hand and returns the rows; without it the list has an order of its own. */
  arrange?: (ids: number[]) => Promise<(R & { id: number })[]>
  /** Replaces the simple confirmation of a deletion. */
  removal?: (row: R, close: () => void) => ReactNode
  children: ReactNode
}
