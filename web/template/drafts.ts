import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'
import type { Template } from '#domain/template/contract.ts'

export const keyOf = ({ name, language }: Pick<Template, 'name' | 'language'>) => `${language} ${name}`
/** What was chosen for a ticket and typed into it: a dialog that is closed and opened again goes on there. */
type Draft = {
  chosen: string | null
  values: Readonly<Record<string, readonly string[]>>
  files: Readonly<Record<string, File | null>>
}
export const blank: Draft = { chosen: null, values: {}, files: {} }
export const templateDraftOf = atomFamily((_ticketId: number) => atom(blank))
