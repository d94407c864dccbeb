import { array, enums, type Infer, integer, nullable, object, optional, size, string, type } from 'superstruct'
import { attendanceStatuses, markKinds } from '#domain/subjects/attendance.ts'
import type { AnyCall } from '../shapes/call.ts'
import { Count, Id, Instant, Nothing, shortText, Uuid } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import { jobPath, listQuery, readProblems, staff, studioJobParams } from '../shapes/staff-call.ts'

/** What was written down of somebody at the shoot. `key` is the tablet's; frames are the camera's own names, of check-ins only. */
export const Mark = type({
  key: string(),
  kind: enums(markKinds),
  station: string(),
  at: Instant,
  firstFrame: nullable(string()),
  lastFrame: nullable(string()),
  note: nullable(string()),
})
export type Mark = Infer<typeof Mark>

/** Somebody in front of the camera; `mark` is the newest that was not undone. */
export const ShootSubject = type({
  subjectId: integer(),
  firstName: string(),
  lastName: string(),
  reference: nullable(string()),
  code: nullable(string()),
  groups: array(string()),
  standing: enums(attendanceStatuses),
  mark: nullable(Mark),
})
export type ShootSubject = Infer<typeof ShootSubject>

const counts = { waiting: Count, photographed: Count, absent: Count, again: Count }

/** How far a shoot is: in all, in each group (`groupId` null: people in none), and what each station did. */
export const Shoot = type({
  jobName: string(),
  counts: type(counts),
  groups: array(type({ groupId: nullable(integer()), name: string(), counts: type(counts) })),
  stations: array(type({ name: string(), checkIns: Count, lastAt: Instant })),
  /** The newest marks, the newest first. */
  newest: array(ShootSubject),
})
export type Shoot = Infer<typeof Shoot>

/** A check-in as pictures are matched by it. */
export const CheckIn = type({
  key: string(),
  subjectId: integer(),
  station: string(),
  at: Instant,
  firstFrame: nullable(string()),
  lastFrame: nullable(string()),
})
export type CheckIn = Infer<typeof CheckIn>

export const getShoot = {
  method: 'GET',
  path: `${jobPath}/shoot`,
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: Nothing,
  answer: Shoot,
  problems: readProblems,
} satisfies AnyCall

/** People by name, code or reference; of one group, or who stand so. Whom the list is asked for in pages, the next come first. */
export const listShootSubjects = {
  method: 'GET',
  path: `${jobPath}/shoot/people`,
  who: staff,
  params: object(studioJobParams),
  query: object({ ...listQuery, groupId: optional(Id), standing: optional(enums(attendanceStatuses)) }),
  body: Nothing,
  answer: listOf(ShootSubject),
  problems: readProblems,
} satisfies AnyCall

/** Whose card this is. Of another job of the studio: refused, with that job's name. */
export const findSubjectByCard = {
  method: 'GET',
  path: `${jobPath}/shoot/cards/:code`,
  who: staff,
  params: object({ ...studioJobParams, code: size(string(), 1, 40) }),
  query: Nothing,
  body: Nothing,
  answer: ShootSubject,
  problems: [...readProblems, 'refused'],
} satisfies AnyCall

/** In the order in which they stood before the camera, station by station. */
export const listCheckIns = {
  method: 'GET',
  path: `${jobPath}/check-ins`,
  who: staff,
  params: object(studioJobParams),
  query: object({ station: optional(shortText(60)) }),
  body: Nothing,
  answer: array(CheckIn),
  problems: readProblems,
} satisfies AnyCall

const frame = nullable(shortText(80))
/** `key` and `at` are the tablet's: what it could not send at once is told later as it was, and what is told twice counts once. */
const markFields = {
  key: Uuid,
  at: Instant,
  station: shortText(60),
  firstFrame: optional(frame),
  lastFrame: optional(frame),
  note: optional(nullable(shortText(500))),
}

/** `before` is what had been written down of them until then: a card that is scanned twice is seen to be. */
export const MarkResult = type({ person: ShootSubject, before: nullable(Mark) })
export type MarkResult = Infer<typeof MarkResult>

export const markSubject = {
  method: 'POST',
  path: `${jobPath}/shoot/marks`,
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: object({ ...markFields, subjectId: Id, kind: enums(markKinds) }),
  answer: MarkResult,
  problems: [...readProblems, 'refused'],
} satisfies AnyCall

/** Puts right what was written down with a mark, whatever became of it since. */
export const patchMark = {
  method: 'PATCH',
  path: `${jobPath}/shoot/marks/:key`,
  who: staff,
  params: object({ ...studioJobParams, key: Uuid }),
  query: Nothing,
  body: object({ firstFrame: optional(frame), lastFrame: optional(frame), note: optional(nullable(shortText(500))) }),
  answer: ShootSubject,
  problems: readProblems,
} satisfies AnyCall

/** Takes a mark back. Taken back again, it is as it is. */
export const undoMark = {
  method: 'POST',
  path: `${jobPath}/shoot/marks/:key/undo`,
  who: staff,
  params: object({ ...studioJobParams, key: Uuid }),
  query: Nothing,
  body: Nothing,
  answer: ShootSubject,
  problems: readProblems,
} satisfies AnyCall

/**
 * Somebody who stands there and is on no list: made and checked in at once. `code` is that of a spare card; without one they get their
 * own. `groupName` makes the group where there is none of that name.
 */
export const addWalkUp = {
  method: 'POST',
  path: `${jobPath}/shoot/walk-ups`,
  who: staff,
  params: object(studioJobParams),
  query: Nothing,
  body: object({
    ...markFields,
    firstName: shortText(100),
    lastName: shortText(100),
    groupName: shortText(200),
    code: shortText(40),
  }),
  answer: MarkResult,
  problems: [...readProblems, 'refused'],
} satisfies AnyCall
