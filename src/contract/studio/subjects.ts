import {
  array,
  boolean,
  coerce,
  enums,
  type Infer,
  integer,
  literal,
  nullable,
  object,
  optional,
  size,
  string,
  type,
  union,
} from 'superstruct'
import { orderStates } from '#domain/orders/order-states.ts'
import { maxSubjectFields } from '#domain/subjects/subject-details.ts'
import { SubjectField } from '../customer/discovery-calls.ts'
import type { AnyCall } from '../shapes/call.ts'
import { Cents, Count, Id, Instant, Nothing } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import {
  expectedVersion,
  jobPath,
  listQuery,
  organizationJobParams,
  organizationJobPath,
  readProblems,
  staff,
  studioJobParams,
  writeProblems,
} from '../shapes/staff-call.ts'

/** The most people that one request makes, or names one by one. */
export const maxSubjectsPerRequest = 5_000

/** What a list of people may be narrowed to, beside the words that are sought in it. */
const subjectFilters = {
  groupId: optional(Id),
  images: optional(enums(['with', 'without'])),
  visibility: optional(enums(['shown', 'hidden'])),
  orders: optional(enums(['ordered', 'not-ordered'])),
  /** `absent`: who was last said not to have come. */
  attendance: optional(enums(['checked-in', 'not-checked-in', 'absent'])),
}

/** Every word of `filter` is in a name, the reference, the code, a group's name or a field. */
export const SubjectFilter = object({ filter: optional(size(string(), 0, 60)), ...subjectFilters })
export type SubjectFilter = Infer<typeof SubjectFilter>

const GroupRef = type({ id: integer(), name: string() })
const FieldValue = type({ name: string(), value: string() })

/** A line of the list of a job's people. */
export const SubjectRow = type({
  id: integer(),
  jobId: integer(),
  firstName: string(),
  lastName: string(),
  /** The school's or club's own number of them; unique within the job. */
  reference: nullable(string()),
  /** Their own code; null where the job's has to do. */
  code: nullable(string()),
  groups: array(GroupRef),
  fields: array(FieldValue),
  /** Good for a quarter of an hour. */
  imageThumbnailUrl: nullable(string()),
  imageCount: Count,
  /** Orders of theirs that were not cancelled. */
  orderCount: Count,
  isCheckedIn: boolean(),
  isHidden: boolean(),
  version: Count,
})
export type SubjectRow = Infer<typeof SubjectRow>

const SubjectImage = type({
  id: integer(),
  type: enums(['hosted-individual', 'hosted-group', 'replacement']),
  name: string(),
  groupName: nullable(string()),
  state: enums(['processing', 'ready', 'refused']),
  /** Why there is nothing to see of it. */
  refusal: nullable(string()),
  width: nullable(integer()),
  height: nullable(integer()),
  isPublished: boolean(),
  isPrimary: boolean(),
  thumbnailUrl: nullable(string()),
  previewUrl: nullable(string()),
})
export type SubjectImage = Infer<typeof SubjectImage>

const SubjectOrder = type({
  orderNumber: string(),
  customerName: string(),
  state: enums(orderStates),
  placedAt: Instant,
  totalCents: Cents,
})

/** A field the job asks for, and what may be answered where it has options. */
const KnownField = type({ name: string(), label: string(), options: array(string()) })
export type KnownField = Infer<typeof KnownField>

/** A person with all that the studio has of them (section 3, subject). */
export const StudioSubject = type({
  id: integer(),
  jobId: integer(),
  firstName: string(),
  lastName: string(),
  reference: nullable(string()),
  fields: array(SubjectField),
  imageThumbnailUrl: nullable(string()),
  groups: array(GroupRef),
  /** Their own code, where it leads, and that as a picture to scan (SVG). */
  code: nullable(type({ code: string(), address: string(), qr: string() })),
  images: array(SubjectImage),
  orders: array(SubjectOrder),
  /** What the job asks of everybody; fields of other names may stand beside them. */
  knownFields: array(KnownField),
  checkedInAt: nullable(Instant),
  isHidden: boolean(),
  hiddenAt: nullable(Instant),
  createdAt: Instant,
  version: Count,
})
export type StudioSubject = Infer<typeof StudioSubject>

const Name = size(string(), 0, 100)
const FieldName = size(string(), 1, 60)
const FieldText = size(string(), 0, 500)
const Reference = size(string(), 0, 60)
const Code = size(string(), 0, 20)
const GroupName = size(string(), 1, 100)

/** A person to be made. Groups are named; those that are not there yet are made. Without `code` they have none of their own. */
export const NewSubject = object({
  firstName: Name,
  lastName: Name,
  reference: optional(nullable(Reference)),
  code: optional(nullable(Code)),
  groups: optional(size(array(GroupName), 0, 20)),
  fields: optional(size(array(object({ name: FieldName, value: FieldText })), 0, maxSubjectFields)),
})
export type NewSubject = Infer<typeof NewSubject>

const ofSubject = object({ ...studioJobParams, subjectId: Id })

const ReturnData = coerce(boolean(), string(), (text) => (text === 'true' ? true : text === 'false' ? false : text))

/** Makes a person (section 7), who is answered whether `returnData` asks for it or not: their number is what comes next. */
export const postSubject = {
  method: 'POST',
  path: `/api/v3${organizationJobPath.slice('/api'.length)}/subjects`,
  who: staff,
  params: object(organizationJobParams),
  query: object({ returnData: optional(ReturnData) }),
  body: NewSubject,
  answer: StudioSubject,
  problems: [...readProblems, 'refused'],
} satisfies AnyCall

/** The same for a job that is no organization's. */
export const postJobSubject = {
  ...postSubject,
  path: `${jobPath}/subjects`,
  params: object(studioJobParams),
} satisfies AnyCall

/** What `subjects/bulk` answers: how many were made, and who they are where `returnData=true` asks for it. */
const CreatedSubjects = type({ count: Count, subjects: optional(array(SubjectRow)) })

/** Makes many, all or none (section 7). `codes: 'new'` gives each who brings none a code of their own. */
export const postSubjects = {
  method: 'POST',
  path: `${postSubject.path}/bulk`,
  who: staff,
  params: object(organizationJobParams),
  query: object({ returnData: optional(ReturnData) }),
  body: object({
    subjects: size(array(NewSubject), 1, maxSubjectsPerRequest),
    codes: optional(enums(['new', 'none'])),
  }),
  answer: CreatedSubjects,
  problems: [...readProblems, 'refused'],
} satisfies AnyCall

/** The same for a job that is no organization's. */
export const postJobSubjects = {
  ...postSubjects,
  path: `${jobPath}/subjects/bulk`,
  params: object(studioJobParams),
} satisfies AnyCall

/**
 * The people of a job, sorted by `name`, `reference`, `group` or `newest`; those that a customer only typed in come with their order.
 */
export const listSubjects = {
  method: 'GET',
  path: `${jobPath}/subjects`,
  who: staff,
  params: object(studioJobParams),
  query: object({ ...listQuery, ...subjectFilters }),
  body: Nothing,
  answer: listOf(SubjectRow),
  problems: readProblems,
} satisfies AnyCall

export const getStudioSubject = {
  method: 'GET',
  path: `${jobPath}/subjects/:subjectId`,
  who: staff,
  params: ofSubject,
  query: Nothing,
  body: Nothing,
  answer: StudioSubject,
  problems: readProblems,
} satisfies AnyCall

/**
 * Changes what is named of a person, as they were seen in `version`. `fields`, `groupIds` each replace all there are; an empty
 * value takes a field away; `code` null takes the code away. Hiding takes effect at once.
 */
export const patchSubject = {
  method: 'PATCH',
  path: `${jobPath}/subjects/:subjectId`,
  who: staff,
  params: ofSubject,
  query: Nothing,
  body: object({
    ...expectedVersion,
    firstName: optional(Name),
    lastName: optional(Name),
    reference: optional(nullable(Reference)),
    code: optional(nullable(Code)),
    fields: optional(size(array(object({ name: FieldName, value: FieldText })), 0, maxSubjectFields)),
    groupIds: optional(size(array(Id), 0, 20)),
    primaryImageId: optional(nullable(Id)),
    isHidden: optional(boolean()),
  }),
  answer: StudioSubject,
  problems: writeProblems,
} satisfies AnyCall

/** Some people by their ids, or everybody whom a filter finds at that moment. */
export const SelectedSubjects = union([
  object({ ids: size(array(Id), 1, maxSubjectsPerRequest) }),
  object({ matching: SubjectFilter }),
])
export type SelectedSubjects = Infer<typeof SelectedSubjects>

/** What is done with each of many people; a field is taken away by an empty value. */
export const SubjectEdit = union([
  object({ do: literal('set-field'), name: FieldName, value: FieldText }),
  object({ do: enums(['move-to-group', 'add-to-group', 'remove-from-group']), groupId: Id }),
  /** `give-codes`: to those who have none. */
  object({ do: enums(['hide', 'show', 'give-codes']) }),
])
export type SubjectEdit = Infer<typeof SubjectEdit>

/** How many were changed, those who were so already not counted; and what undoes it, null where there is nothing to undo. */
const SubjectEditResult = type({ count: Count, editId: nullable(integer()) })
export type SubjectEditResult = Infer<typeof SubjectEditResult>

export const editSubjects = {
  method: 'POST',
  path: `${jobPath}/subjects/edits`,
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: object({ whom: SelectedSubjects, edit: SubjectEdit }),
  answer: SubjectEditResult,
  problems: [...readProblems, 'refused'],
} satisfies AnyCall

/**
 * Makes everybody as they were before an edit, for a day. Whoever was changed again meanwhile is left as they are (`left`). Undone
 * again, it is undone.
 */
export const undoEdit = {
  method: 'POST',
  path: `${jobPath}/subjects/edits/:editId/undo`,
  who: staff,
  params: object({ ...studioJobParams, editId: Id }),
  query: Nothing,
  body: Nothing,
  answer: type({ count: Count, left: Count }),
  problems: [...readProblems, 'refused'],
} satisfies AnyCall

/**
 * Deletes families' data for good: the people, their pictures and files, fields, codes and grants. Orders keep what was paid, without
 * who was pictured. `typed`: the person's name as it stands there, or, for several, how many they are. All or none.
 */
export const purgeSubjects = {
  method: 'POST',
  path: `${jobPath}/subjects/erase`,
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: object({ ids: size(array(Id), 1, 500), typed: size(string(), 0, 220) }),
  answer: type({ count: Count }),
  problems: [...readProblems, 'refused'],
} satisfies AnyCall
