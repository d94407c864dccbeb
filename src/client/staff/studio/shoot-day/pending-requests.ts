import type { Mark, ShootPerson } from '#contract/studio/shoots.ts'
import { standingBy } from '#domain/subjects/attendance.ts'
import type { ShootRequest, StaffRequestRow } from '#local/store/staff-database.ts'

/** A request of a shoot that the server has not taken. */
export type PendingRequest = StaffRequestRow & { request: ShootRequest }

export const isPendingRequest = (row: StaffRequestRow): row is PendingRequest => row.request.kind !== 'signOut'

const asMarked = (person: ShootPerson, mark: Mark | null): ShootPerson => ({
  ...person,
  standing: standingBy(mark?.kind ?? null),
  mark,
})

type WithBody = Extract<ShootRequest, { body: object }>

const markOf = (request: WithBody): Mark => {
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

/** A walk-up that the server does not know yet; its number is negative, so that no subject of the job has it. */
const newcomerOf = (seq: number, request: Extract<ShootRequest, { kind: 'walkUp' }>): ShootPerson => {
  const { firstName, lastName, groupName, code } = request.body
  return {
    ...{ subjectId: -seq, firstName, lastName, reference: null },
    code: code || null,
    groups: groupName ? [groupName] : [],
    standing: standingBy('present'),
    mark: markOf(request),
  }
}

/** People as they are once everything that waits was sent; what was refused changes nothing. */
export const withPending = (
  people: readonly ShootPerson[],
  pending: readonly PendingRequest[],
): readonly ShootPerson[] => {
  const byId = new Map(people.map((person) => [person.subjectId, person]))
  for (const { seq, state, request } of pending) {
    if (state === 'refused') continue
    if (request.kind === 'walkUp') byId.set(-seq, newcomerOf(seq, request))
    if (request.kind === 'mark') {
      const person = byId.get(request.body.subjectId)
      if (person) byId.set(person.subjectId, asMarked(person, markOf(request)))
    }
    if (request.kind === 'undo') {
      const person = [...byId.values()].find(({ mark }) => mark?.key === request.key)
      if (person) byId.set(person.subjectId, asMarked(person, null))
    }
  }
  return [...byId.values()]
}

/** What a request is about: the subject, or a walk-up's own key until the server has numbered it. */
export const aboutOf = ({ subjectId, mark }: ShootPerson): string =>
  subjectId < 0 && mark ? `walk-up ${mark.key}` : `subject ${subjectId}`

export const isOwnRequest = ({ seq, state, about }: PendingRequest, { subjectId }: ShootPerson): boolean =>
  state !== 'refused' && (seq === -subjectId || about === `subject ${subjectId}`)
