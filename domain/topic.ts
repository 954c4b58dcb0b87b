import type { Gate, Viewer } from './access.ts'

/**
 * A live channel, published as `company-<id>-<name>`: the rows it shows, the frame's field that carries one, and who sees which.
 * To everyone else the row is dropped, so that moving out of sight and being deleted look the same.
 */
export type Topic<Row = any> = { name: string; field: string; sees: (viewer: Viewer, row: Row) => boolean }
export const topic = <Row>(name: string, field: string, sees: (viewer: Viewer, row: Row) => boolean): Topic<Row> => ({ name, field, sees })

/** Of a plain list: whoever may read it sees all of it. */
export const listTopic = <Row>(table: string, read: Gate): Topic<Row> => topic<Row>(table, 'record', (viewer) => read(viewer) === null)
