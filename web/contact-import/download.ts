import { api } from '#web/api.ts'
import { saveFile } from '#web/ui/save-file.ts'

/** Saves the ignored rows of an import and the reasons as an Excel file. */
export async function downloadErrors(workId: number): Promise<void> {
  const file = await api.contactImports.errorFile({ params: { workId } }, { received: () => undefined })
  saveFile(`guiche-${workId}.xlsx`, file as Blob)
}
