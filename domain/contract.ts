import type { Static, TObject, TOptional, TProperties, TSchema } from 'typebox'
import * as Type from 'typebox'
import type { Gate } from './access.ts'
import type { Case, ErrorCode } from './errors.ts'
import { singleSpaced } from './text/rules.ts'
import { listTopic } from './topic.ts'

/** One call of the published API: its path below /api, its input, its answer and its gate. */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  may: Gate
  /** One sentence for /docs. */
  summary: string
  query?: TObject
  body?: TSchema
  /** Fields that published clients send although they have no effect: accepted and removed. */
  ignores?: string[]
  answer?: TSchema
  /** The answer is a stream with this file. */
  file?: { name: string; mediaType: string }
  /** The call accepts files as multipart/form-data; the other parts are the body. */
  upload?: true
  /** The maximum body size in kilobytes, if the default of 256 is too small. */
  bodyLimitKb?: number
  /** The status of a successful answer, if it is not 200. */
  status?: 202
  /** The answer is read from the read models. If they lag behind the stored command, the answer is `AcceptedResponse`. */
  eventuallyConsistent?: true
  /**
   * The call of a plain list is idempotent: a repeated command id changes nothing and answers the current row.
   * A function returns the parameters with which `find` loads the row, for rows without an id.
   */
  idempotent?: true | ((body: never) => object)
  /** Error code for an invalid path parameter; `ERR_INVALID_INPUT` when omitted. */
  invalidPathCase?: Case
  /** Errors of this call beyond those that its schemas and its gate cause. */
  errors?: Case[]
}
export type Calls = Record<string, Call>

const calling =
  <M extends Call['method']>(method: M) =>
  <const P extends string, C extends Omit<Call, 'method' | 'path'>>(path: P, call: C) => ({ method, path, ...call })

export const get = calling('GET')
export const post = calling('POST')
export const put = calling('PUT')
export const del = calling('DELETE')

type Names<P extends string> = P extends `${string}:${infer N}/${infer Rest}`
  ? N | Names<`/${Rest}`>
  : P extends `${string}:${infer N}`
    ? N
    : never
/** `:id` and `:somethingId` are numbers, every other parameter is text. */
export type Params<P extends string> = { [N in Names<P>]: N extends 'id' | `${string}Id` ? number : string }

/** A file that was uploaded with a call and is already on disk. `claims`: the media type that the sender declared. */
export type Upload = { field: string; name: string; path: string; size: number; claims: string }

type Part<C, K extends string> = K extends keyof C ? (C[K] extends TSchema ? { [_ in K]: Static<C[K]> } : {}) : {}
export type Ask<C extends Call> = ([Names<C['path']>] extends [never] ? {} : { params: Params<C['path']> }) &
  Part<C, 'query'> &
  Part<C, 'body'> &
  (C extends { upload: true } ? { files: Upload[] } : {})
export type Answer<C extends Call> = C extends { answer: infer A extends TSchema } ? Static<A> : void

/** Ids fit a Postgres integer, so that validation refuses a larger one before the database does. */
export const Id = Type.Integer({ minimum: 1, maximum: 2147483647 })
/**
 * Status 202: the command is stored, and the read models follow shortly. `ids`: the new or changed rows.
 * `revision`: the ticket revision that the rows must reach.
 */
export const AcceptedResponse = Type.Object(
  { stored: Type.Unsafe<true>({ type: 'boolean', enum: [true] }), ids: Type.Array(Id), revision: Type.Integer() },
  { description: 'The command is stored; the read models follow shortly.' },
)
export type AcceptedResponse = Static<typeof AcceptedResponse>
/** Text that every store accepts: without NUL and without half of a surrogate pair. `max` in characters. */
export const Text = (max: number, min = 0) => Type.String({ minLength: min, maxLength: max, format: 'wellformed' })
/** Text with at least one visible character. */
export const Written = (max: number) => Type.String({ minLength: 1, maxLength: max, format: 'wellformed', pattern: '\\S' })
/** Invisible characters that control a screen: control characters and direction marks. */
const steering = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069'
/** Characters without width. A name may contain some, as emoji do, but not consist of them. */
const widthless =
  '\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u2064\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0'
const visible = `[^\\s${steering}${widthless}]`
const within = `[^${steering}]`
/** A name: not blank, long enough after trimming, and without control characters. */
export const Name = (max: number, min = 1) => {
  const called = min < 2 ? visible : `${visible}${within}{${min - 2},}${visible}`
  return Type.String({ minLength: min, maxLength: max, format: 'wellformed', pattern: `^${within}*${called}${within}*$` })
}
const longestName = 250
function shownPart(name: string): string {
  const bare = name
    .slice(0, longestName)
    .replace(new RegExp(`[${steering}]+`, 'g'), ' ')
    .trim()
    .toWellFormed()
  return new RegExp(visible).test(bare) ? bare : ''
}
/** Makes a name from outside safe to show, with one space between its words. Returns an empty text if it has no visible character. */
export const cleanName = (name: string): string => singleSpaced(shownPart(name))
/** Whether a name contains characters that a screen does not show. */
export const hasHidden = (name: string): boolean => shownPart(name) !== name.trim()
/** A row contains every column: null, never absent. A body may omit the field, which then becomes null. */
export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()], { default: null })
/** A list of ids in a query, as JSON such as "[1,2]"; a repeated parameter is read as the same. `list`: the schema of an id. */
export const IdList = Type.String({
  pattern: '^\\[((0|[1-9]\\d{0,8})(,(0|[1-9]\\d{0,8})){0,199})?\\]$',
  list: Type.Integer({ minimum: 0, maximum: 999_999_999 }),
})
export const ids = (list: string | undefined): number[] => (list ? (JSON.parse(list) as number[]) : [])
/** An object whose keys are data. Plain JSON schema, because the library's record type adds 11 kB to the client. */
export const Dictionary = <S extends TSchema>(value: S) =>
  Type.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: value })
/** A timestamp in a row: ISO 8601, UTC. */
export const Moment = Type.String()
export const PageNumber = Type.Integer({ minimum: 1, maximum: 100_000 })

export const Page = <K extends string, R extends TSchema>(key: K, row: R) =>
  Type.Object({ [key]: Type.Array(row), hasMore: Type.Boolean() } as {
    [_ in K]: ReturnType<typeof Type.Array<R>>
  } & { hasMore: ReturnType<typeof Type.Boolean> })
export const Search = Type.Object({ searchParam: Type.Optional(Text(200)), pageNumber: Type.Optional(PageNumber) })

/** The body of a change: every field is optional, and an omitted field keeps its value instead of getting the default. */
export const changeOf = <F extends TProperties>(fields: F) =>
  Type.Object(
    Object.fromEntries(Object.entries(fields).map(([name, { default: _, ...field }]: [string, any]) => [name, Type.Optional(field)])),
    { additionalProperties: false },
  ) as unknown as TObject<{ [N in keyof F]: TOptional<F[N]> }>

/** The edit number of a row. A change that sends an outdated number is refused, so that no edit is lost. */
export const version = Type.Integer({ minimum: 1, maximum: 2147483647 })

/**
 * A field that references rows of another list of the same company: one row by id, or many rows `through` a join table.
 * `as`: the field that shows these `columns` of the rows, by `order` if there is one and then by id. `among`: the condition for allowed rows. `missing`: the error for an unknown row.
 */
export type Related = { table: string; missing: ErrorCode; among?: Record<string, string | number | boolean | null> } & (
  | { through: string; mine: string; theirs: string; as: string; columns: string[]; order?: string }
  | { through?: never; as?: never }
)
/** The ids in a field that references many rows. */
export const RelatedIds = (most: number) => Type.Array(Id, { maxItems: most, uniqueItems: true, default: [] })

/** The file of a row: a signed URL that is valid until the end of tomorrow, and the file name. */
export const fileShown = { mediaPath: Nullable(Type.String()), mediaName: Nullable(Type.String()), isMedia: Type.Boolean() }

/** The five calls of every plain list. Further calls are declared beside them. `readOnly`: columns that only the server writes. */
export function resource<const P extends string, const K extends string, F extends TProperties, S extends TProperties = {}>(
  path: P,
  of: {
    list: K
    table: string
    /** One row in words, such as "a queue". */
    one: string
    missing: ErrorCode
    fields: F
    readOnly?: S
    search: (keyof F & string)[]
    /** Each row may have a file, which it shows with `fileShown`. */
    file?: true
    related?: { [N in keyof F]?: Related }
    /** Fields of which the audit log shows only that they changed. */
    masked?: (keyof F & string)[]
    read: Gate
    write: Gate
  },
) {
  const Body = Type.Object(of.fields, { additionalProperties: false }) // clients cannot set id or companyId
  const Change = changeOf({ ...of.fields, version })
  const Row = Type.Object({ id: Id, companyId: Id, ...of.fields, ...of.readOnly, version } as unknown as {
    id: typeof Id
    companyId: typeof Id
    version: typeof version
  } & Omit<F, keyof S> &
    S)
  return {
    ...of,
    Row,
    Body,
    Change,
    topic: listTopic<Static<typeof Row>>(of.table, of.read),
    calls: {
      list: get(path, {
        may: of.read,
        summary: `Lists every ${of.one.replace(/^an? /, '')} in pages, newest first.`,
        query: Search,
        answer: Page(of.list, Row),
      }),
      find: get(`${path}/:id` as `${P}/:id`, { may: of.read, summary: `Shows ${of.one}.`, answer: Row }),
      create: post(path, { may: of.write, summary: `Creates ${of.one}.`, body: Body, answer: Row, idempotent: true }),
      update: put(`${path}/:id` as `${P}/:id`, {
        may: of.write,
        summary: `Changes ${of.one}; omitted fields stay. Refused if \`version\` is outdated.`,
        body: Change,
        answer: Row,
        idempotent: true,
        errors: ['ERR_ROW_CHANGED'],
      }),
      remove: del(`${path}/:id` as `${P}/:id`, { may: of.write, summary: `Deletes ${of.one}.`, idempotent: true }),
    },
  }
}
