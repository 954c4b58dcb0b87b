import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin, signedIn } from '#domain/access.ts'
import { del, Id, Name, Nullable, post, resource, Text, Written } from '#domain/contract.ts'

const OrNone = (max: number) => Type.Optional(Type.Union([Text(max), Type.Null()]))
/** An entry in a body. `id`: an existing entry; `path: null`: removes its file; other paths are ignored. */
const Given = Type.Object({ id: Type.Optional(Id), name: Name(255), path: OrNone(2000), mediaType: OrNone(100) })
const FileOption = Type.Object({
  id: Id,
  name: Type.String(),
  /** A signed URL that is valid until the end of tomorrow; null: no file. */
  path: Nullable(Type.String()),
  mediaType: Nullable(Type.String()),
  fileName: Nullable(Type.String()),
})

/** Files that a queue or an option of its bot sends one by one, after a text (A-BOT-07). */
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
  readOnly: { options: Type.Array(FileOption), /** The user who created it. */ userId: Nullable(Id) },
  search: ['name', 'message'],
  read: signedIn,
  write: admin,
})
export type FileListRow = Static<typeof fileList.Row>
export type FileListEntry = Static<typeof Given>
/** The use of a file list, which its refused deletion answers. */
export type FileListUse = { queues: number; options: number }

export const fileLists = {
  ...fileList.calls,
  find: { ...fileList.calls.find, may: admin },
  create: { ...fileList.calls.create, ignores: ['userId'] },
  update: { ...fileList.calls.update, ignores: ['userId'] },
  /** Same pattern as A-QUEUE-01. */
  remove: del('/files/:id', {
    may: admin,
    summary:
      'Deletes a file list with its files. A list in use needs `moveTo`, the list that replaces it, or `release`, which sends none instead.',
    query: Type.Object({ moveTo: Type.Optional(Id), release: Type.Optional(Type.Boolean()) }),
    idempotent: true,
    errors: ['ERR_FILE_LIST_IN_USE'],
  }),
  attach: post('/files/uploadList/:id', {
    may: admin,
    summary:
      'Uploads files to a file list: with `id` one file that replaces the file of that entry, otherwise one new entry per file. Images (png, jpg; 2 MB), audio (ogg, mp3, opus; 5 MB), videos (mp4; 20 MB) and documents (pdf, docx, xlsx, txt; 20 MB).',
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
    idempotent: true,
    upload: true,
    errors: ['ERR_FILE_LIST_MEDIA'],
  }),
}
