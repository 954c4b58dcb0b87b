import type { Static } from 'typebox'
import * as Type from 'typebox'
import { acting, arrangesLanes, signedIn, type Viewer } from '#domain/access.ts'
import { del, get, Id, Name, Nullable, Page, put, resource, Search, Text } from '#domain/contract.ts'

/** A tag of contacts, or with kanban 1 a lane of the board. */
export const tag = resource('/tags', {
  list: 'tags',
  table: 'tag',
  one: 'a tag',
  missing: 'ERR_NO_TAG_FOUND',
  fields: {
    name: Name(100, 3), // R-TAG-01
    color: Type.String({ pattern: '^#[0-9a-fA-F]{3,8}$', maxLength: 9 }),
    kanban: Type.Integer({ minimum: 0, maximum: 1, default: 0 }),
    /** Hours after which a ticket moves to the next lane, which sends its greeting (A-LANE-01). */
    timeLane: Nullable(Type.Integer({ minimum: 0, maximum: 8760 })),
    nextLaneId: Nullable(Id),
    /** The lane to which a ticket moves back when the contact writes. */
    rollbackLaneId: Nullable(Id),
    greetingMessageLane: Nullable(Text(5000)),
  },
  readOnly: {
    contactsCount: Type.Integer(),
    /** The user who created it. */
    userId: Nullable(Id),
    /** The place of a lane, which `arrange` sets; null: after those that have one. */
    position: Nullable(Type.Integer()),
  },
  search: ['name'],
  related: {
    nextLaneId: { table: 'tag', missing: 'ERR_NO_TAG_FOUND', among: { kanban: 1 } },
    rollbackLaneId: { table: 'tag', missing: 'ERR_NO_TAG_FOUND', among: { kanban: 1 } },
  },
  read: signedIn,
  write: acting,
})
export type TagRow = Static<typeof tag.Row>
/** Whether the lane has hours but no next lane. `given`: the fields that are saved. */
export const movesNowhere = (given: object, { timeLane, nextLaneId }: Pick<TagRow, 'timeLane' | 'nextLaneId'>): boolean =>
  ('timeLane' in given || 'nextLaneId' in given) && (timeLane ?? 0) > 0 && nextLaneId === null

/** Everyone creates tags; only an admin or the creator deletes one. */
export const mayRemoveTag = (viewer: Viewer, { userId }: Pick<TagRow, 'userId'>): boolean =>
  viewer.profile === 'admin' || userId === viewer.id

const Listed = Type.Object({ id: Id, name: Type.String(), color: Type.String(), kanban: Type.Integer() })
export const tags = {
  ...tag.calls,
  remove: del('/tags/:id', {
    may: acting,
    summary: 'Deletes a tag. A lane to which other lanes lead needs `release`, which takes it out of them.',
    query: Type.Object({ release: Type.Optional(Type.Boolean()) }),
    idempotent: true,
    errors: ['ERR_LANE_IN_USE'],
  }),
  /** Tags without kanban, lanes with kanban=1 (R-TAG-03, A-LANE-02). */
  list: get('/tags', {
    may: signedIn,
    summary: 'Lists tags and lanes, newest first; with `tagId` only that one.',
    query: Type.Object({
      ...Search.properties,
      kanban: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
      tagId: Type.Optional(Id),
    }),
    answer: Page('tags', tag.Row),
  }),
  choices: get('/tags/list', {
    may: signedIn,
    summary: 'Lists all tags, or with kanban=1 all lanes, for pickers.',
    query: Type.Object({ kanban: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })), companyId: Type.Optional(Id) }),
    answer: Type.Array(Listed),
  }),
  lanes: get('/tag/kanban', {
    may: signedIn,
    summary: 'Lists the lanes of the board.',
    answer: Type.Object({ lista: Type.Array(tag.Row) }),
  }),
  arrange: put('/tag/kanban/order', {
    may: arrangesLanes,
    summary: 'Orders the lanes as they are on the board. Lanes that `ids` does not name follow.',
    body: Type.Object({ ids: Type.Array(Id, { maxItems: 1000, uniqueItems: true }) }, { additionalProperties: false }),
    answer: Type.Object({ lista: Type.Array(tag.Row) }),
    errors: ['ERR_NO_TAG_FOUND'],
  }),
  release: del('/tags-contacts/:tagId/:contactId', { may: acting, summary: 'Removes a tag from a contact.', idempotent: true }),
}
