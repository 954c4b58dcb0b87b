import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin, signedIn } from '#domain/access.ts'
import { del, Id, Name, Nullable, post, resource, Text, Written } from '#domain/contract.ts'

const OrNone = (max: number) => Type.Optional(Type.Union([Text(max), Type.Null()]))
/** What one says of an entry: its id where it stands already; `path: null` takes its file away, any other is ours to say. */
const Given = Type.Object({ id: Type.Optional(Id), name: Name(255), path: OrNone(2000), mediaType: OrNone(100) })
const FileOption = Type.Object({
  id: Id,
  name: Type.String(),
  /** A signed address that lasts until the end of tomorrow; null while it has no file. */
  path: Nullable(Type.String()),
  mediaType: Nullable(Type.String()),
  fileName: Nullable(Type.String()),
})

/** Files with a text before them, which a queue or an option of its bot sends one after another (A-BOT-07). */
export const fileList = resource('/files', {
  list: 'files',
  table: 'fileList',
  one: 'a file list',
  missing: 'ERR_NO_FILE_LIST_FOUND',
  fields: {
    name: Name(100, 3), // R-FILE-01
    message: Written(5000),
    options: Type.Array(Given, { maxItems: 30, default: [] }),
  },
  readOnly: { options: Type.Array(FileOption), /** Who made it. */ userId: Nullable(Id) },
  search: ['name', 'message'],
  read: signedIn,
  write: admin,
})
export type FileListRow = Static<typeof fileList.Row>
export type FileListEntry = Static<typeof Given>
/** How many point to a list: what its deletion is refused with. */
export type FileListUse = { queues: number; options: number }

export const fileLists = {
  ...fileList.calls,
  find: { ...fileList.calls.find, may: admin },
  create: { ...fileList.calls.create, ignores: ['userId'] },
  update: { ...fileList.calls.update, ignores: ['userId'] },
  /** A-QUEUE-01: the same pattern. */
  remove: del('/files/:id', {
    may: admin,
    says: 'Deletes a file list with its files. While queues or options send it, only with `moveTo`, the list that they send instead, or with `release`, and they send none.',
    query: Type.Object({ moveTo: Type.Optional(Id), release: Type.Optional(Type.Boolean()) }),
    once: true,
    refuses: ['ERR_FILE_LIST_IN_USE'],
  }),
  attach: post('/files/uploadList/:id', {
    may: admin,
    says: 'Brings a file list files: one for the entry that `id` names, in place of what it had; without it, each becomes an entry of its own. Pictures (png, jpg; 2 MB), sound (ogg, mp3, opus; 5 MB) and films (mp4; 20 MB).',
    body: Type.Object(
      {
        fileId: Type.Optional(Id),
        id: Type.Optional(Id),
        name: Type.Optional(Name(255)),
        mediaType: Type.Optional(Text(100)),
        typeArch: Type.Optional(Text(50)),
      },
      { additionalProperties: false },
    ),
    answer: fileList.Row,
    once: true,
    upload: true,
    refuses: ['ERR_FILE_LIST_MEDIA'],
  }),
}
