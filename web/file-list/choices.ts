import { type FileListRow, fileList } from '#domain/file-list/contract.ts'
import type { Topic } from '#domain/topic.ts'
import { api } from '#web/api.ts'
import { createLiveCollection } from '#web/live.ts'
import { compareNames } from '#web/name-order.ts'

/** Every file list, for pickers. */
export const fileListChoices = createLiveCollection<FileListRow>({
  topic: fileList.topic as Topic<FileListRow>,
  async load() {
    const rows: FileListRow[] = []
    for (let pageNumber = 1, more = true; more; pageNumber++) {
      const { files, hasMore } = await api.fileLists.list({ query: { pageNumber } })
      rows.push(...files)
      more = hasMore
    }
    return { rows, hasMore: false }
  },
  order: (a, b) => compareNames(a.name, b.name),
})
