import { tag, tags } from '#domain/tag/contract.ts'
import { rowsOf } from '../live/gateway.ts'
import { type Area, calls } from '../module.ts'
import { tagRoutes } from './routes.ts'

export const tagArea: Area = {
  calls: [calls('tags', tags, tagRoutes)],
  shapes: { Tag: tag.Row, TagBody: tag.Body },
  topics: ({ db }) => [{ topic: tag.topic, load: rowsOf(db, 'tag') }],
}
