import { array, boolean, type Infer, integer, object, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Count, Id, shortText } from '../shapes/primitives.ts'
import { administrators, expectedVersion, listQuery, readProblems } from '../shapes/staff-call.ts'
import { platformResource } from './platform-resource.ts'

/** A part of the product that administrators turn on for studios one by one. */
export const PlatformFeature = type({
  id: integer(),
  /** The name in the code and in the calls, such as `rspoJob`. */
  identifier: string(),
  name: string(),
  description: string(),
  /** Whether new studios have it. */
  isDefault: boolean(),
  studioCount: Count,
  version: Count,
})
export type PlatformFeature = Infer<typeof PlatformFeature>

const draft = { identifier: shortText(60), name: shortText(100), description: shortText(500), isDefault: boolean() }

const features = platformResource({
  base: '/api/admin/features',
  query: object(listQuery),
  item: PlatformFeature,
  draft: object(draft),
  replacement: object({ ...draft, ...expectedVersion }),
})
/** A feature that studios have is not deleted, and keeps its identifier: the answer names some of them. */
export const {
  get: getPlatformFeature,
  list: listPlatformFeatures,
  post: postPlatformFeature,
  put: putPlatformFeature,
  remove: deletePlatformFeature,
} = features

const studioFeaturesPath = '/api/admin/studios/:id/features'

/** All features, and whether a studio has each of them. */
export const listFeaturesOfStudio = call({
  method: 'GET',
  path: studioFeaturesPath,
  who: administrators,
  params: object({ id: Id }),
  answer: array(type({ id: integer(), name: string(), description: string(), isOn: boolean() })),
  problems: readProblems,
})

/** Turns a feature of a studio on or off, from the studio's next request on. */
export const putFeatureOfStudio = call({
  ...listFeaturesOfStudio,
  method: 'PUT',
  path: `${studioFeaturesPath}/:featureId`,
  params: object({ id: Id, featureId: Id }),
  body: object({ isOn: boolean() }),
})
