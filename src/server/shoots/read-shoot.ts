import { sql } from 'kysely'
import type { CheckIn, Shoot, ShootSubject } from '#contract/studio/shoots.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'
import {
  isListed,
  lastMark,
  marks,
  type ShootSubjectRow,
  shootSubjectColumns,
  shootSubjectOf,
} from './shoot-subjects.ts'

/** The number of most recently marked subjects that a tablet shows. */
const maxNewest = 12

export type ShootJob = { name: string; isArchived: boolean }

/** Reads the job of a shoot; undefined if the studio has no such job. */
export const readShootJob = async (
  db: Db | Transaction,
  { studioId, jobId }: JobKey,
): Promise<ShootJob | undefined> => {
  const { rows } = await sql<ShootJob>`
    select name, archived_at is not null as "isArchived" from jobs where studio_id = ${studioId} and id = ${jobId}`.execute(
    db,
  )
  return rows[0]
}

const countColumns = sql`
  'waiting', count(*) filter (where p.kind is null), 'photographed', count(*) filter (where p.kind = 'present'),
  'absent', count(*) filter (where p.kind = 'absent'), 'retake', count(*) filter (where p.kind = 'retake')`

type Row = Pick<Shoot, 'counts' | 'groups'> & {
  stations: (Omit<Shoot['stations'][number], 'lastAt'> & { lastAt: string })[]
}

const readNewest = async (db: Db, job: JobKey): Promise<ShootSubject[]> => {
  const { rows } = await sql<ShootSubjectRow>`
    select ${shootSubjectColumns} from subjects u join ${lastMark} on true
     where ${isListed(job)} order by last.at desc, last.id desc limit ${maxNewest}`.execute(db)
  return rows.map(shootSubjectOf)
}

/** Reads the progress of a shoot; undefined if the studio has no such job. */
export const readShoot = async (db: Db, job: JobKey): Promise<Shoot | undefined> => {
  const shootJob = await readShootJob(db, job)
  if (!shootJob) return undefined
  const { studioId, jobId } = job
  const { rows } = await sql<Row>`
    with p as (
      select u.id, last.kind from subjects u left join ${lastMark} on true where ${isListed(job)}
    ), memberships as (
      select m.group_id, m.subject_id from subject_groups m join groups g on g.studio_id = m.studio_id and g.id = m.group_id
       where g.studio_id = ${studioId} and g.job_id = ${jobId}
    ), grouped as (
      select g.id, g.name, g.position, json_build_object(${countColumns}) as counts
        from groups g join memberships i on i.group_id = g.id join p on p.id = i.subject_id
       where g.studio_id = ${studioId} and g.job_id = ${jobId} group by g.id, g.name, g.position
      union all
      select null, '', null, json_build_object(${countColumns}) from p
       where not exists (select from memberships i where i.subject_id = p.id) having count(*) > 0
    )
    select (select json_build_object(${countColumns}) from p) as counts,
           (select coalesce(json_agg(json_build_object('groupId', id, 'name', name, 'counts', counts)
                     order by position nulls last, lower(name), id), '[]') from grouped) as groups,
           (select coalesce(json_agg(json_build_object('name', s.station, 'checkIns', s.total, 'lastAt', s.last) order by s.station), '[]')
              from (select m.station, count(*) as total, max(m.at) as last from ${marks} m
                     where m.studio_id = ${studioId} and m.job_id = ${jobId} and m.kind = 'present' group by m.station) s) as stations`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new Error(`the shoot of job ${jobId} has no counts`)
  const stations = row.stations.map((station) => ({ ...station, lastAt: new Date(station.lastAt).toISOString() }))
  return { ...row, stations, jobName: shootJob.name, newest: await readNewest(db, job) }
}

/** Reads the check-ins by station in the order of their time; only those of one station if it is given. */
export const readCheckIns = async (db: Db, { studioId, jobId }: JobKey, station?: string): Promise<CheckIn[]> => {
  const { rows } = await sql<Omit<CheckIn, 'at'> & { at: Date }>`
    select check_in_key as key, subject_id as "subjectId", station, checked_in_at as at, first_frame as "firstFrame",
           last_frame as "lastFrame"
      from check_ins
     where studio_id = ${studioId} and job_id = ${jobId} and undone_at is null
       and (${station ?? null}::text is null or station = ${station ?? null}::text)
     order by station, checked_in_at, id`.execute(db)
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}
