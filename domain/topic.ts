import type { Gate, Viewer } from './access.ts'

/**
 * A live channel, published as `company-<id>-<name>`: its rows, the frame field that contains a row, and who may see which row.
 * Other viewers get a removal, so that a hidden row and a deleted row look the same.
 */
export type Topic<Row = any> = { name: string; field: string; sees: (viewer: Viewer, row: Row) => boolean }
export const topic = <Row>(name: string, field: string, sees: (viewer: Viewer, row: Row) => boolean): Topic<Row> => ({ name, field, sees })

/** The topic of a plain list. A viewer who may read the list sees all of its rows. */
export const listTopic = <Row>(table: string, read: Gate): Topic<Row> => topic<Row>(table, 'record', (viewer) => read(viewer) === null)
