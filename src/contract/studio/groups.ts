import { array, enums, type Infer, integer, max, nullable, object, optional, size, string, type } from 'superstruct'
import { Count } from '../shapes/primitives.ts'
import { resource, withId } from '../shapes/resource.ts'
import { expectedVersion, jobPath, listQuery, staff, studioJobParams } from '../shapes/staff-call.ts'

const GroupImage = type({
  id: integer(),
  name: string(),
  state: enums(['processing', 'ready', 'refused']),
  /** Both are valid for 10 to 15 minutes; null until they are made. */
  thumbnailUrl: nullable(string()),
  previewUrl: nullable(string()),
})

/** Subjects of a job who are photographed together, with the images of the whole group. */
export const Group = type({
  id: integer(),
  name: string(),
  /** Its position among the job's groups. */
  position: Count,
  subjectCount: Count,
  imageCount: Count,
  /** The first few; `imageCount` is the total. */
  images: array(GroupImage),
  version: Count,
})
export type Group = Infer<typeof Group>

const Name = size(string(), 0, 100)
/** Leaves room for the groups that come after it. */
const maxPosition = 1_000_000
const draft = { name: Name, position: optional(max(Count, maxPosition)) }

/**
 * The groups of a job (section 7, generic resource pattern). Subjects are assigned by calls of their own; a group with
 * images cannot be deleted.
 */
export const groups = resource({
  base: `${jobPath}/groups`,
  who: staff,
  listParams: object(studioJobParams),
  itemParams: object(withId(studioJobParams)),
  query: object(listQuery),
  row: Group,
  item: Group,
  draft: object(draft),
  replacement: object({ ...draft, ...expectedVersion }),
})
export const { get: getGroup, list: listGroups, post: postGroup, put: putGroup, remove: deleteGroup } = groups
