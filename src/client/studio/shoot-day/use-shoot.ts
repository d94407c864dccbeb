import { useEffect, useMemo, useRef, useState } from 'react'
import { is } from 'superstruct'
import {
  getShoot,
  listShootPeople,
  type Mark,
  Marked,
  type Shoot,
  ShootPerson,
} from '../../../contract/studio/shoots.ts'
import { pageIn } from '../../../domain/paging.ts'
import { type MarkKind, standingBy } from '../../../domain/shoot.ts'
import { randomId } from '../../../local/stamp.ts'
import { online } from '../../device/online.ts'
import { useSignal } from '../../device/signal.ts'
import { formDrafts } from '../../session/form-drafts.ts'
import { askStaff } from '../../staff/ask-staff.ts'
import type { JobPlace } from '../../staff/staff-urls.ts'
import { type Reading, useAnswer } from '../../staff/use-answer.ts'
import { createOutgoing, type Told, type Unsent } from './unsent.ts'

/** Milliseconds between two looks at what the other tablets did. */
const lookMs = 10_000
/** Milliseconds for which what an answer said of somebody counts more than a list that may have been on its way before. */
const freshMs = 15_000

type Learnt = ReadonlyMap<number, { person: ShootPerson; at: number }>

const withAll = (before: Learnt, people: readonly ShootPerson[]): Learnt =>
  new Map([...before, ...people.map((person) => [person.subjectId, { person, at: Date.now() }] as const)])

export type Newcomer = { firstName: string; lastName: string; groupName: string; code: string }

/** What a tablet says of somebody before the server has heard it. */
const asMarked = (person: ShootPerson, mark: Mark | null): ShootPerson => ({
  ...person,
  standing: standingBy(mark?.kind ?? null),
  mark,
})

const markOf = ({ told }: Unsent): Mark | null => {
  if (told.does === 'undo') return null
  const { key, at, station, firstFrame = null, lastFrame = null, note = null } = told.body
  return { key, at, station, firstFrame, lastFrame, note, kind: told.does === 'mark' ? told.body.kind : 'present' }
}

const personIn = (data: unknown): ShootPerson | undefined => {
  if (is(data, Marked)) return data.person
  return is(data, ShootPerson) ? data : undefined
}

export type ShootDay = {
  people: readonly ShootPerson[]
  reading: Reading<unknown>
  shoot: Shoot | undefined
  unsent: readonly Unsent[]
  isUnsent: (person: ShootPerson) => boolean
  mark: (person: ShootPerson, kind: MarkKind, station: string) => void
  walkUp: (newcomer: Newcomer, station: string) => void
  undo: (person: ShootPerson) => void
  /** Takes in what an answer says of somebody. */
  learn: (person: ShootPerson) => void
  sendAgain: () => void
  drop: (one: Unsent) => void
}

/**
 * Everybody of a shoot as this tablet knows them: as the server told last, with what was done here since and what of that is still on
 * its way. Held whole, so that a scan is answered at once, with a network or without.
 */
export const useShoot = (
  { studioId, jobId }: JobPlace,
  onHeard: (sent: Unsent, person: ShootPerson | undefined) => void,
): ShootDay => {
  const params = { studioId, jobId }
  const roster = useAnswer(listShootPeople, { params })
  const shoot = useAnswer(getShoot, { params, everyMs: lookMs })
  const [learnt, setLearnt] = useState<Learnt>(new Map())
  const learn = (person: ShootPerson) => setLearnt((before) => withAll(before, [person]))
  const heard = useRef(onHeard)
  heard.current = onHeard
  const again = useRef(shoot.again)
  again.current = shoot.again

  const outgoing = useMemo(() => {
    const name = `shoot ${jobId} unsent`
    return createOutgoing({
      place: { studioId, jobId },
      ask: askStaff,
      keep: {
        read: () => (formDrafts.read(name) as { list?: unknown } | undefined)?.list,
        write: (list) => (list.length > 0 ? formDrafts.keep(name, { list }) : formDrafts.drop(name)),
      },
      later: (milliseconds, run) => void setTimeout(run, milliseconds),
      heard: (sent, answer) => {
        const person = answer.ok ? personIn(answer.data) : undefined
        if (person) setLearnt((before) => withAll(before, [person]))
        heard.current(sent, person)
        again.current()
      },
    })
  }, [studioId, jobId])
  const unsent = useSignal(outgoing.list)
  useEffect(() => {
    outgoing.wake()
    return online.subscribe(() => online.current() && outgoing.wake())
  }, [outgoing])

  // What the other tablets did: the newest marks say it of whom they are; where the counts still differ, the whole list does.
  const { data: looked } = shoot
  const { again: readRoster } = roster
  useEffect(() => {
    if (looked) setLearnt((before) => withAll(before, looked.newest))
  }, [looked])

  const told = roster.data && pageIn<ShootPerson>(roster.data).resultItems
  const people = useMemo(() => {
    const known = new Map((told ?? []).map((one) => [one.subjectId, one]))
    for (const [id, { person }] of learnt) known.set(id, person)
    for (const one of unsent) {
      if (one.told.does === 'mark') {
        const person = known.get(one.told.body.subjectId)
        if (person && one.refused === undefined) known.set(person.subjectId, asMarked(person, markOf(one)))
      }
      if (one.told.does === 'undo') {
        const { key } = one.told
        const person = [...known.values()].find(({ mark }) => mark?.key === key)
        if (person) known.set(person.subjectId, asMarked(person, null))
      }
    }
    return [...known.values()]
  }, [told, learnt, unsent])

  const expected = looked && looked.counts.photographed + looked.counts.absent + looked.counts.again
  const counted = people.filter(({ standing }) => standing !== 'waiting').length
  const differs = expected !== undefined && unsent.length === 0 && told !== undefined && expected !== counted
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each look that finds a difference
  useEffect(() => {
    if (differs) readRoster()
  }, [differs, looked])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that is new says more than what was learnt long before it
  useEffect(() => {
    setLearnt((before) => new Map([...before].filter(([, { at }]) => Date.now() - at < freshMs)))
  }, [told])

  const tell = (who: string, one: Told) => outgoing.tell({ told: one, who })
  const stamp = (station: string) => ({ key: randomId(), at: new Date().toISOString(), station })
  const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`
  return {
    people,
    reading: roster,
    shoot: looked,
    unsent,
    isUnsent: ({ subjectId, mark }) =>
      unsent.some(({ told: one }) =>
        one.does === 'mark' ? one.body.subjectId === subjectId : one.does === 'undo' && one.key === mark?.key,
      ),
    mark: (person, kind, station) =>
      tell(nameOf(person), { does: 'mark', body: { ...stamp(station), subjectId: person.subjectId, kind } }),
    walkUp: (newcomer, station) => tell(nameOf(newcomer), { does: 'walkUp', body: { ...stamp(station), ...newcomer } }),
    undo: (person) => person.mark && tell(nameOf(person), { does: 'undo', key: person.mark.key }),
    learn,
    sendAgain: outgoing.wake,
    drop: outgoing.drop,
  }
}
