import type { Mark, ShootSubject } from '#contract/studio/shoots.ts'
import { attendanceStatusOf } from '#domain/subjects/attendance.ts'
import type { ShootRequest, StaffRequestRow } from '#local/store/staff-database.ts'

/** A shoot request that the server has not confirmed. */
export type PendingRequest = StaffRequestRow & { request: ShootRequest }

export const isPendingRequest = (row: StaffRequestRow): row is PendingRequest => row.request.kind !== 'signOut'

const withMark = (subject: ShootSubject, mark: Mark | null): ShootSubject => ({
  ...subject,
  status: attendanceStatusOf(mark?.kind ?? null),
  mark,
})

type RequestWithBody = Extract<ShootRequest, { body: object }>

const markOf = (request: RequestWithBody): Mark => {
  const { key, at, station, firstFrame = null, lastFrame = null, note = null } = request.body
  return {
    key,
    at,
    station,
    firstFrame,
    lastFrame,
    note,
    kind: request.kind === 'mark' ? request.body.kind : 'present',
  }
}

/** A walk-up that the server has not registered. Its id is negative, so that it cannot be the id of a subject. */
const walkUpSubject = (seq: number, request: Extract<ShootRequest, { kind: 'walkUp' }>): ShootSubject => {
  const { firstName, lastName, groupName, code } = request.body
  return {
    ...{ subjectId: -seq, firstName, lastName, reference: null },
    code: code || null,
    groups: groupName ? [groupName] : [],
    status: attendanceStatusOf('present'),
    mark: markOf(request),
  }
}

/** Applies the pending requests to the subjects. Rejected requests are ignored. */
export const withPending = (
  subjects: readonly ShootSubject[],
  pending: readonly PendingRequest[],
): readonly ShootSubject[] => {
  const subjectById = new Map(subjects.map((subject) => [subject.subjectId, subject]))
  for (const { seq, state, request } of pending) {
    if (state === 'rejected') continue
    if (request.kind === 'walkUp') subjectById.set(-seq, walkUpSubject(seq, request))
    if (request.kind === 'mark') {
      const subject = subjectById.get(request.body.subjectId)
      if (subject) subjectById.set(subject.subjectId, withMark(subject, markOf(request)))
    }
    if (request.kind === 'undo') {
      const subject = [...subjectById.values()].find(({ mark }) => mark?.key === request.key)
      if (subject) subjectById.set(subject.subjectId, withMark(subject, null))
    }
  }
  return [...subjectById.values()]
}

/** Identifies the subject of a request: by its id, or by the key of the walk-up until the server assigns an id. */
export const requestSubjectKey = ({ subjectId, mark }: ShootSubject): string =>
  subjectId < 0 && mark ? `walk-up ${mark.key}` : `subject ${subjectId}`

/** Whether a request is pending for this subject. */
export const isRequestOf = ({ seq, state, about }: PendingRequest, { subjectId }: ShootSubject): boolean =>
  state !== 'rejected' && (seq === -subjectId || about === `subject ${subjectId}`)
