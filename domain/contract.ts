import type { Static, TObject, TOptional, TProperties, TSchema } from 'typebox'
import * as Type from 'typebox'
import type { Gate } from './access.ts'
import type { Case, ErrorCode } from './errors.ts'
import { listTopic } from './topic.ts'

/** One call of the published language: where it is (below /api), what goes in, what comes out, and who may ask. */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  may: Gate
  /** One sentence for /docs. */
  says: string
  query?: TObject
  body?: TSchema
  /** Fields that published clients send and that say nothing: taken, and left out. */
  ignores?: string[]
  answer?: TSchema
  /** Files may come along as multipart/form-data; the other parts are the body. */
  upload?: true
  /** How large the body may be where the usual 256 are too few. */
  kilobytes?: number
  /** The status of a good answer where it is not 200. */
  status?: 202
  /** Its answer is read from tables that follow the log: where these have not come to what it stored, `AcceptedResponse` is answered. */
  follows?: true
  /**
   * Of a plain list: asked again with its command id it is not done again, and answered with the row as it is then. A function: what of its
   * body is the name by which `find` finds the row, where that has no id.
   */
  once?: true | ((body: never) => object)
  /** What is said of an address that can name nothing, where it has words of its own. */
  misnamed?: Case
  /** Refusals of its own, beside those that its shape brings. */
  refuses?: Case[]
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

/** A file that came with a call, already on disk. `claims`: the type its sender gave it. */
export type Upload = { field: string; name: string; path: string; size: number; claims: string }

type Part<C, K extends string> = K extends keyof C ? (C[K] extends TSchema ? { [_ in K]: Static<C[K]> } : {}) : {}
export type Ask<C extends Call> = ([Names<C['path']>] extends [never] ? {} : { params: Params<C['path']> }) &
  Part<C, 'query'> &
  Part<C, 'body'> &
  (C extends { upload: true } ? { files: Upload[] } : {})
export type Answer<C extends Call> = C extends { answer: infer A extends TSchema } ? Static<A> : void

/** Ids fit Postgres' integer, so that a larger one is refused here and not by the store. */
export const Id = Type.Integer({ minimum: 1, maximum: 2147483647 })
/**
 * 202: it is done, and what it changed is shown in a moment. `ids`: the rows that come or change; `revision`: of the ticket, from which on
 * they show it.
 */
export const AcceptedResponse = Type.Object(
  { stored: Type.Unsafe<true>({ type: 'boolean', enum: [true] }), ids: Type.Array(Id), revision: Type.Integer() },
  { description: 'Done, and shown in a moment.' },
)
export type AcceptedResponse = Static<typeof AcceptedResponse>
/** Text that every store can hold: no NUL, no half of a surrogate pair. `max` in characters. */
export const Text = (max: number, min = 0) => Type.String({ minLength: min, maxLength: max, format: 'wellformed' })
/** What is written to be read: anything but blanks alone. */
export const Written = (max: number) => Type.String({ minLength: 1, maxLength: max, format: 'wellformed', pattern: '\\S' })
/** What steers a screen and shows nothing: control characters, and those that turn the direction of what stands around them. */
const steering = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069'
/** Letters that have no width: a name may hold some, as emoji do, but none is made of them alone. */
const widthless =
  '\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u2064\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0'
const visible = `[^\\s${steering}${widthless}]`
const within = `[^${steering}]`
/** What something is called: not blank, long enough without the blanks around it, and nothing in it that cannot be seen. */
export const Name = (max: number, min = 1) => {
  const called = min < 2 ? visible : `${visible}${within}{${min - 2},}${visible}`
  return Type.String({ minLength: min, maxLength: max, format: 'wellformed', pattern: `^${within}*${called}${within}*$` })
}
/** A name that came from elsewhere, as it may be shown: empty where nothing of it can be seen. */
const longestName = 250
export function cleanName(name: string): string {
  const bare = name
    .slice(0, longestName)
    .replace(new RegExp(`[${steering}]+`, 'g'), ' ')
    .trim()
    .toWellFormed()
  return new RegExp(visible).test(bare) ? bare : ''
}
/** Whether a name holds what a screen does not show. */
export const hasHidden = (name: string): boolean => cleanName(name) !== name.trim()
/** A row knows every column: null, never absent. A body may leave it out and gets null. */
export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()], { default: null })
/** A list of ids in a query: a JSON text such as "[1,2]", which is also what a repeated parameter is read as. `list`: what stands in it. */
export const IdList = Type.String({
  pattern: '^\\[((0|[1-9]\\d{0,8})(,(0|[1-9]\\d{0,8})){0,199})?\\]$',
  list: Type.Integer({ minimum: 0, maximum: 999_999_999 }),
})
export const ids = (list: string | undefined): number[] => (list ? (JSON.parse(list) as number[]) : [])
/** An object by keys that are data. Written as plain JSON schema: the type engine's own costs a browser 11 kB. */
export const Dictionary = <S extends TSchema>(value: S) =>
  Type.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: value })
/** The moment of a row: ISO 8601, UTC. */
export const Moment = Type.String()
export const PageNumber = Type.Integer({ minimum: 1, maximum: 100_000 })

export const Page = <K extends string, R extends TSchema>(key: K, row: R) =>
  Type.Object({ [key]: Type.Array(row), hasMore: Type.Boolean() } as {
    [_ in K]: ReturnType<typeof Type.Array<R>>
  } & { hasMore: ReturnType<typeof Type.Boolean> })
export const Search = Type.Object({ searchParam: Type.Optional(Text(200)), pageNumber: Type.Optional(PageNumber) })

/** What a change may give of these fields: what is not given stays, and gets no default. */
export const changeOf = <F extends TProperties>(fields: F) =>
  Type.Object(
    Object.fromEntries(Object.entries(fields).map(([name, { default: _, ...field }]: [string, any]) => [name, Type.Optional(field)])),
    { additionalProperties: false },
  ) as unknown as TObject<{ [N in keyof F]: TOptional<F[N]> }>

/** Which edit of a row it is: given back with a change, it is refused where somebody else was faster. */
export const version = Type.Integer({ minimum: 1, maximum: 2147483647 })

/**
 * A field that names rows of another list, of the same company: one by its id, or many by their ids `through` a table of pairs, where
 * `as` is the field that shows these `columns` of them. `among`: which of them may be named; `missing`: what is said of one that is not there.
 */
export type Related = { table: string; missing: ErrorCode; among?: Record<string, string | number | boolean | null> } & (
  | { through: string; mine: string; theirs: string; as: string; columns: string[] }
  | { through?: never; as?: never }
)
/** The ids of a field that is related to many. */
export const RelatedIds = (most: number) => Type.Array(Id, { maxItems: most, uniqueItems: true, default: [] })

/** What a row says of its file: a signed address that lasts until the end of tomorrow, and its name. */
export const fileShown = { mediaPath: Nullable(Type.String()), mediaName: Nullable(Type.String()), isMedia: Type.Boolean() }

/** The five calls every plain list has. Anything more is an ordinary call written beside them. `readOnly`: columns that only we write. */
export function resource<const P extends string, const K extends string, F extends TProperties, S extends TProperties = {}>(
  path: P,
  of: {
    list: K
    table: string
    /** One of them, in words. */
    one: string
    missing: ErrorCode
    fields: F
    readOnly?: S
    search: (keyof F & string)[]
    /** Its rows may have a file each; they show it by `fileShown`. */
    file?: true
    related?: { [N in keyof F]?: Related }
    /** What an audit says only of that it changed. */
    masked?: (keyof F & string)[]
    read: Gate
    write: Gate
  },
) {
  const Body = Type.Object(of.fields, { additionalProperties: false }) // nobody sets id or companyId from outside
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
        says: `A page of what there is like ${of.one}, newest first.`,
        query: Search,
        answer: Page(of.list, Row),
      }),
      find: get(`${path}/:id` as `${P}/:id`, { may: of.read, says: `Shows ${of.one}.`, answer: Row }),
      create: post(path, { may: of.write, says: `Makes ${of.one}.`, body: Body, answer: Row, once: true }),
      update: put(`${path}/:id` as `${P}/:id`, {
        may: of.write,
        says: `Changes ${of.one}; what is not given stays. Refused where \`version\` is not that of the row any more.`,
        body: Change,
        answer: Row,
        once: true,
        refuses: ['ERR_ROW_CHANGED'],
      }),
      remove: del(`${path}/:id` as `${P}/:id`, { may: of.write, says: `Deletes ${of.one}.`, once: true }),
    },
  }
}
