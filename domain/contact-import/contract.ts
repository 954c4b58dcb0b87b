import type { Static } from 'typebox'
import * as Type from 'typebox'
import { importsContacts, seesImports } from '#domain/access.ts'
import { WorkRow } from '#domain/bulk-operation/contract.ts'
import { get, Id, Nullable, PageNumber, post, put } from '#domain/contract.ts'
import type { Case } from '#domain/errors.ts'

export const separators = [';', ',', '\t', '|'] as const
export type Separator = (typeof separators)[number]
export const encodings = ['utf-8', 'windows-1252', 'windows-1254', 'macintosh', 'ibm850', 'utf-16le', 'utf-16be'] as const
export type Encoding = (typeof encodings)[number]
/** Why a row is ignored. A number that is not valid has the code of every invalid number. */
export const rowErrors = [
  ...([
    'ERR_IMPORT_TEXT',
    'ERR_IMPORT_NAME',
    'ERR_IMPORT_NUMBER',
    'ERR_IMPORT_NO_PHONE',
    'ERR_IMPORT_SHORTENED',
    'ERR_IMPORT_EMAIL',
    'ERR_IMPORT_TAG',
  ] as const),
  ...(['ERR_IMPORT_EXTRA', 'ERR_CONTACT_FIELD'] as const),
] as const

export const importFields = ['name', 'number', 'email', 'tags', 'extra'] as const
/** `extra`: an extra field that has the title of its column as its name; several columns may have it. */
export type ImportField = (typeof importFields)[number]
const Field = Type.Enum(['', ...importFields])
/** What an import does with a contact that exists. `names`: it gets a name if it has none. */
export type Existing = 'update' | 'keep' | 'names'
export const mostColumns = 250
const Fields = Type.Array(Field, { minItems: 1, maxItems: mostColumns })

/** What the import of a row does. */
export const rowEffects = ['created', 'updated', 'unchanged'] as const
export type RowEffect = (typeof rowEffects)[number]
export const rowStates = [...rowEffects, 'ignored', 'leftOut'] as const
export type RowState = (typeof rowStates)[number]
const State = Type.Enum([...rowStates])

/** A row with its number in the file. `state` is null until name and number have a column; `changes`: what its import changes in a contact. */
const TableRow = Type.Object({
  row: Type.Integer(),
  cells: Type.Array(Type.String()),
  state: Nullable(State),
  /** Why the row is ignored. */
  code: Nullable(Type.String()),
  /** `name`: of an extra field. */
  changes: Type.Array(
    Type.Object({ field: Type.Enum([...importFields]), name: Type.String(), before: Type.String(), after: Type.String() }),
  ),
})
export type TableRow = Static<typeof TableRow>

/** An uploaded table before it is imported. `counts` and `errors` are null until name and number have a column. */
export const ImportTable = Type.Object({
  id: Id,
  name: Type.String(),
  total: Type.Integer(),
  hasHeader: Type.Boolean(),
  /** Null for a spreadsheet. */
  encoding: Nullable(Type.Enum([...encodings])),
  separator: Nullable(Type.Enum([...separators])),
  /** The first texts with letters beyond ASCII, by which a person sees whether the encoding is right. */
  accented: Type.Array(Type.String()),
  columns: Type.Array(Type.Object({ title: Type.String(), field: Field })),
  /** The first rows. */
  rows: Type.Array(TableRow),
  /** `updated` and `unchanged`: contacts that exist. */
  counts: Nullable(
    Type.Object({
      ...{ created: Type.Integer(), updated: Type.Integer(), unchanged: Type.Integer() },
      ...{ ignored: Type.Integer(), leftOut: Type.Integer() },
    }),
  ),
  /** The first rows that will be ignored, with the code of the reason. */
  errors: Nullable(Type.Array(Type.Object({ row: Type.Integer(), code: Type.String() }))),
})
export type ImportTable = Static<typeof ImportTable>
/** `openQuotes`: the first rows with a quotation mark that is not closed, which was read as a character. */
export const UploadedTable = Type.Object({ ...ImportTable.properties, openQuotes: Type.Array(Type.Integer()) })

const fileErrors: Case[] = [...(['ERR_IMPORT_FILE', 'ERR_IMPORT_ROWS', 'ERR_IMPORT_COLUMNS', 'ERR_IMPORT_EMPTY'] as const), 'ERR_TOO_LARGE']
const fieldErrors: Case[] = [
  'ERR_NOT_FOUND',
  'ERR_IMPORT_NUMBER_FIELD',
  'ERR_IMPORT_NAME_FIELD',
  'ERR_IMPORT_FIELD_TWICE',
  'ERR_IMPORT_BEGUN',
  'ERR_IMPORT_CHECKING',
]
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const fromPhone = {
  answer: Type.Object({ importId: Id, work: WorkRow }),
  status: 202,
  errors: ['ERR_NO_DEF_WAPP_FOUND', 'ERR_IMPORT_PHONE', 'ERR_IMPORT_ROWS'] satisfies Case[],
} as const

export const contactImports = {
  upload: post('/contacts/upload', {
    may: importsContacts,
    summary:
      'Reads a table of contacts (xlsx, xls, csv, txt) and answers its first rows, the guessed columns, and the rows that will be ignored. Nothing is imported yet.',
    upload: true,
    /** Replace what was guessed. Parts of a form are texts. */
    body: Type.Object(
      {
        header: Type.Optional(Type.Enum(['true', 'false'])),
        encoding: Type.Optional(Type.Enum([...encodings])),
        separator: Type.Optional(Type.Enum([...separators])),
      },
      { additionalProperties: false },
    ),
    answer: UploadedTable,
    errors: fileErrors,
  }),
  choose: put('/contacts/upload/:id', {
    may: importsContacts,
    summary: 'Chooses the field of each column of an uploaded table and checks its rows again (R-CIMPORT-01, R-CIMPORT-02).',
    body: Type.Object({ fields: Fields }, { additionalProperties: false }),
    answer: ImportTable,
    errors: fieldErrors,
  }),
  rows: get('/contacts/upload/:id/rows', {
    may: seesImports,
    summary: 'Lists the rows of an uploaded table with what their import will do; `state` lists only such rows.',
    query: Type.Object({ pageNumber: Type.Optional(PageNumber), state: Type.Optional(State) }),
    answer: Type.Object({ rows: Type.Array(TableRow), hasMore: Type.Boolean(), count: Type.Integer() }),
    errors: ['ERR_NOT_FOUND'],
  }),
  chooseRows: put('/contacts/upload/:id/rows', {
    may: importsContacts,
    summary: 'Leaves rows of an uploaded table out of the import, or takes them in again; all rows without `rowNumbers` (R-CIMPORT-02).',
    body: Type.Object(
      { isChosen: Type.Boolean(), rowNumbers: Type.Optional(Type.Array(Id, { maxItems: 1000 })) },
      { additionalProperties: false },
    ),
    answer: ImportTable,
    errors: ['ERR_NOT_FOUND', 'ERR_IMPORT_BEGUN'],
  }),
  sample: get('/contacts/upload/sample', {
    may: seesImports,
    summary: 'A table that can be imported as it is, as an Excel file.',
    answer: Type.Unknown(),
    file: { name: 'contatos-exemplo.xlsx', mediaType: excel },
  }),
  begin: post('/contacts/upload/:id/begin', {
    may: importsContacts,
    summary:
      'Imports an uploaded table as a bulk operation. `existing`: whether contacts with a known number are completed or stay. `validateContact`: whether the network is asked for each new number, about ten a minute (R-CIMPORT-05).',
    body: Type.Object(
      { existing: Type.Enum(['update', 'keep']), validateContact: Type.Optional(Type.Enum(['true', 'false'])) },
      { additionalProperties: false },
    ),
    answer: WorkRow,
    status: 202,
    errors: [...fieldErrors, 'ERR_IMPORT_NO_ROWS'],
  }),
  phoneBook: post('/contacts/import', {
    may: importsContacts,
    summary:
      'Imports the address book of the phone of the default connection as a bulk operation. Contacts that exist get only a missing name (A-IMP-01).',
    ...fromPhone,
  }),
  phoneChats: post('/contacts/import/chats', {
    may: importsContacts,
    summary:
      'Imports the people of the chats of the phone of the default connection. Contacts that exist get only a missing name (A-IMP-01).',
    ...fromPhone,
  }),
  result: get('/contacts/upload/:id/result', {
    may: seesImports,
    summary: 'Counts the rows of an import by what became of them (A-IMP-06).',
    answer: Type.Object({
      total: Type.Integer(),
      created: Type.Integer(),
      updated: Type.Integer(),
      unchanged: Type.Integer(),
      ignored: Type.Integer(),
    }),
    errors: ['ERR_NOT_FOUND'],
  }),
  errorFile: get('/contacts/upload/errors/:workId', {
    may: seesImports,
    summary: 'The ignored rows of an import as an Excel file: row, name, number and reason. Available for seven days.',
    answer: Type.Unknown(),
    file: { name: 'contatos-ignorados.xlsx', mediaType: excel },
    errors: ['ERR_NOT_FOUND'],
  }),
}
