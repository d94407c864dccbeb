import { array, enums, type Infer, integer, nullable, object, optional, size, string, type } from 'superstruct'
import { Count } from '../shapes/primitives.ts'
import { resource, withId } from '../shapes/resource.ts'
import { expectedVersion, jobPath, listQuery, staff, studioJobParams } from '../shapes/staff-call.ts'

const GroupImage = type({
  id: integer(),
  name: string(),
  state: enums(['processing', 'ready', 'refused']),
  /** Both good for a quarter of an hour; null until they are made. */
  thumbnailUrl: nullable(string()),
  previewUrl: nullable(string()),
})

/** People of a job who are pictured together, with the pictures of all of them. */
export const Group = type({
  id: integer(),
  name: string(),
  /** Its place among the job's groups. */
  position: Count,
  subjectCount: Count,
  imageCount: Count,
  /** The first few; `imageCount` says how many there are. */
  images: array(GroupImage),
  version: Count,
})
export type Group = Infer<typeof Group>

const Name = size(string(), 0, 100)
const draft = { name: Name, position: optional(Count) }

/**
 * The groups of a job (section 7, generic resource pattern). People are put into one by their own calls; a group that has pictures is
 * not taken away.
 */
export const groups = resource({
  base: `${jobPath}/groups`,
  who: staff,
  above: object(studioJobParams),
  of: object(withId(studioJobParams)),
  query: object(listQuery),
  row: Group,
  item: Group,
  draft: object(draft),
  kept: object({ ...draft, ...expectedVersion }),
})
