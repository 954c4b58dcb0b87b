/** A form with a table of contacts as a file. */
export function contactTable(content: string | Uint8Array, name = 'contatos.csv', fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([content as BlobPart]), name)
  return form
}
