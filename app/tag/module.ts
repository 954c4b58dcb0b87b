import { tag, tags } from '#domain/tag/contract.ts'
import { rowsOf } from '../live/gateway.ts'
import { calls, type FeatureModule } from '../module.ts'
import { tagRoutes } from './routes.ts'

export const tagModule: FeatureModule = {
  calls: [calls('tags', tags, tagRoutes)],
  openApiSchemas: { Tag: tag.Row, TagBody: tag.Body },
  topics: ({ db }) => [{ topic: tag.topic, load: rowsOf(db, 'tag') }],
}
