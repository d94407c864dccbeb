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
import { call } from '../shapes/call.ts'
import { SubjectField } from '../shapes/job-structs.ts'
import { Cents, Count, Id, Instant } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import {
  expectedVersion,
  hiddenCode,
  jobPath,
  listQuery,
  organizationJobParams,
  organizationJobPath,
  readProblems,
  staff,
  studioJobParams,
  writeProblems,
} from '../shapes/staff-call.ts'

/** Maximum number of subjects that one request creates or names. */
export const maxSubjectsPerRequest = 5_000

/** The filters of a list of subjects, in addition to the text filter. */
const subjectFilters = {
  groupId: optional(Id),
  images: optional(enums(['with', 'without'])),
  visibility: optional(enums(['shown', 'hidden'])),
  orders: optional(enums(['ordered', 'not-ordered'])),
  /** `absent`: the latest mark is absent. */
  attendance: optional(enums(['checked-in', 'not-checked-in', 'absent'])),
}

/** Every word of `filter` must be in a name, the reference, the code, a group's name or a field. */
export const SubjectFilter = object({ filter: optional(size(string(), 0, 60)), ...subjectFilters })
export type SubjectFilter = Infer<typeof SubjectFilter>

const GroupRef = type({ id: integer(), name: string() })
const FieldValue = type({ name: string(), value: string() })

/** A subject as a row of a list. */
export const SubjectRow = type({
  id: integer(),
  jobId: integer(),
  firstName: string(),
  lastName: string(),
  /** The school's or club's own number of the subject; unique within the job. */
  reference: nullable(string()),
  /** The subject's own code; null if only the job's code applies. */
  code: nullable(string()),
  groups: array(GroupRef),
  fields: array(FieldValue),
  /** Valid for 10 to 15 minutes. */
  imageThumbnailUrl: nullable(string()),
  imageCount: Count,
  /** Number of orders for the subject that were not cancelled. */
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
  /** Why it could not be processed. */
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

/** A field that the job asks for, with its options if it has any. */
const KnownField = type({ name: string(), label: string(), options: array(string()) })
export type KnownField = Infer<typeof KnownField>

/** A subject with all its data (section 3, subject). */
export const StudioSubject = type({
  id: integer(),
  jobId: integer(),
  firstName: string(),
  lastName: string(),
  reference: nullable(string()),
  fields: array(SubjectField),
  imageThumbnailUrl: nullable(string()),
  groups: array(GroupRef),
  /** The subject's own code, its address, and that address as a QR code (SVG). */
  code: nullable(type({ code: string(), address: string(), qr: string() })),
  images: array(SubjectImage),
  orders: array(SubjectOrder),
  /** The fields that the job asks for; a subject can have others too. */
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

/** A new subject. Groups are named; missing ones are created. Without `code` the subject has none of its own. */
export const NewSubject = object({
  firstName: Name,
  lastName: Name,
  reference: optional(nullable(Reference)),
  code: optional(nullable(Code)),
  groups: optional(size(array(GroupName), 0, 20)),
  fields: optional(size(array(object({ name: FieldName, value: FieldText })), 0, maxSubjectFields)),
})
export type NewSubject = Infer<typeof NewSubject>

const subjectParams = object({ ...studioJobParams, subjectId: Id })

const ReturnData = coerce(boolean(), string(), (text) => (text === 'true' ? true : text === 'false' ? false : text))

/** Creates a subject (section 7). Returns it whatever `returnData` is: callers need its id next. */
export const postSubject = call({
  method: 'POST',
  path: `/api/v3${organizationJobPath.slice('/api'.length)}/subjects`,
  who: staff,
  params: object(organizationJobParams),
  query: object({ returnData: optional(ReturnData) }),
  body: NewSubject,
  answer: StudioSubject,
  codes: { code: { code: hiddenCode, address: '', qr: '' } },
  problems: [...readProblems, 'refused'],
})

/** The same for a job without an organization. */
export const postJobSubject = call({
  ...postSubject,
  path: `${jobPath}/subjects`,
  params: object(studioJobParams),
})

/** The response of `subjects/bulk`: the number created, and the subjects with `returnData=true`. */
const CreatedSubjects = type({ count: Count, subjects: optional(array(SubjectRow)) })

/** Creates many subjects, all or none (section 7). `codes: 'new'` generates a code for each that has none. */
export const postSubjects = call({
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
  codes: { code: hiddenCode },
  problems: [...readProblems, 'refused'],
})

/** The same for a job without an organization. */
export const postJobSubjects = call({
  ...postSubjects,
  path: `${jobPath}/subjects/bulk`,
  params: object(studioJobParams),
})

/**
 * The subjects of a job, sorted by `name`, `reference`, `group` or `newest`; includes those that a customer typed in,
 * once they are ordered for.
 */
export const listSubjects = call({
  method: 'GET',
  path: `${jobPath}/subjects`,
  who: staff,
  params: object(studioJobParams),
  query: object({ ...listQuery, ...subjectFilters }),
  answer: listOf(SubjectRow),
  codes: { code: hiddenCode },
  problems: readProblems,
})

export const getStudioSubject = call({
  method: 'GET',
  path: `${jobPath}/subjects/:subjectId`,
  who: staff,
  params: subjectParams,
  answer: StudioSubject,
  codes: { code: { code: hiddenCode, address: '', qr: '' } },
  problems: readProblems,
})

/**
 * Changes the named values of a subject; `version` is the one the caller saw. `fields` and `groupIds` each replace the
 * whole list; an empty value deletes a field; `code` null removes the code. Hiding takes effect immediately.
 */
export const patchSubject = call({
  ...getStudioSubject,
  method: 'PATCH',
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
  problems: writeProblems,
})

/** Subjects by their ids, or all that match a filter at that moment. */
export const SelectedSubjects = union([
  object({ ids: size(array(Id), 1, maxSubjectsPerRequest) }),
  object({ matching: SubjectFilter }),
])
export type SelectedSubjects = Infer<typeof SelectedSubjects>

/** What a bulk edit does with each subject; an empty value deletes a field. */
export const SubjectEdit = union([
  object({ do: literal('set-field'), name: FieldName, value: FieldText }),
  object({ do: enums(['move-to-group', 'add-to-group', 'remove-from-group']), groupId: Id }),
  /** `give-codes`: only to subjects without one. */
  object({ do: enums(['hide', 'show', 'give-codes']) }),
])
export type SubjectEdit = Infer<typeof SubjectEdit>

/**
 * The number of changed subjects, without those that needed no change; and the edit to undo, null if nothing changed.
 */
const SubjectEditResult = type({ count: Count, editId: nullable(integer()) })
export type SubjectEditResult = Infer<typeof SubjectEditResult>

export const editSubjects = call({
  method: 'POST',
  path: `${jobPath}/subjects/edits`,
  who: staff,
  params: object(studioJobParams),
  body: object({ subjects: SelectedSubjects, edit: SubjectEdit }),
  answer: SubjectEditResult,
  problems: [...readProblems, 'refused'],
})

/** Restores all subjects of an edit, within a day. Subjects changed since then stay unchanged (`left`). Idempotent. */
export const undoEdit = call({
  method: 'POST',
  path: `${jobPath}/subjects/edits/:editId/undo`,
  who: staff,
  params: object({ ...studioJobParams, editId: Id }),
  answer: type({ count: Count, left: Count }),
  problems: [...readProblems, 'refused'],
})

/**
 * Permanently deletes subjects with their images and files, fields, codes and grants, all or none. Orders keep the
 * amounts, without the subjects. `typed` confirms: the subject's name or, for several, their number.
 */
export const purgeSubjects = call({
  method: 'POST',
  path: `${jobPath}/subjects/erase`,
  who: staff,
  params: object(studioJobParams),
  body: object({ ids: size(array(Id), 1, 500), typed: size(string(), 0, 220) }),
  answer: type({ count: Count }),
  problems: [...readProblems, 'refused'],
})
