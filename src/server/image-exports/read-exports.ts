import { type RawBuilder, sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { getImageExportSetup, ImageExport } from '#contract/studio/portraits/image-exports.ts'
import { defaultFieldSources } from '#domain/image-exports/export-fields.ts'
import { volumeFromName } from '#domain/image-exports/export-file-names.ts'
import { defaultTemplate, formatDefaults } from '#domain/image-exports/export-settings.ts'
import { mapPage, type Page, type PageQuery } from '#domain/shared/paging.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'
import { orderBy, paginateQuery } from '../http/paging/paginate-query.ts'
import type { ExportKey } from './exported-files.ts'

type Row = Omit<ImageExport, 'madeAt' | 'expiresAt'> & { madeAt: Date; expiresAt: Date | null }

const columns = sql`e.id, e.format, e.state, e.settings ->> 'volume' as volume, coalesce(e.files_total, 0) as "filesTotal",
  (select count(*) from image_export_files f
    where f.studio_id = e.studio_id and f.export_id = e.id and f.byte_size is not null) as "filesDone",
  e.error, e.created_at as "madeAt", (select w.name from users w where w.id = e.made_by) as "madeBy", e.expires_at as "expiresAt"`

const fromJob = ({ studioId, jobId }: JobKey): RawBuilder<unknown> =>
  sql`from image_exports e where e.studio_id = ${studioId} and e.job_id = ${jobId}`

const toImageExport = ({ madeAt, expiresAt, ...row }: Row): ImageExport => ({
  ...row,
  madeAt: madeAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
})

export const readImageExport = async (
  db: Db | Transaction,
  { exportId, ...job }: ExportKey,
): Promise<ImageExport | undefined> => {
  const { rows } = await sql<Row>`select ${columns} ${fromJob(job)} and e.id = ${exportId}`.execute(db)
  return rows[0] && toImageExport(rows[0])
}

/** The exports of a job, newest first by default. */
export const listImageExports = async (
  db: Db,
  job: JobKey,
  query: PageQuery & { sort?: string | undefined },
): Promise<ImageExport[] | Page<ImageExport>> => {
  const order = orderBy({ madeAt: sql`e.created_at` }, query.sort ?? '-madeAt', sql`e.id desc`)
  return mapPage(await paginateQuery<Row>(db, { columns, from: fromJob(job), order }, query), toImageExport)
}

/** The custom fields that the subjects of a job have, and the default settings of an export; undefined if there is no such job. */
export const readExportSetup = async (
  db: Db,
  { studioId, jobId }: JobKey,
): Promise<Infer<(typeof getImageExportSetup)['answer']> | undefined> => {
  const { rows } = await sql<{ name: string; fieldNames: string[]; hasReferences: boolean }>`
    select coalesce(o.name, j.name) as name,
           (select coalesce(json_agg(distinct f.name order by f.name), '[]') from subjects u
              join subject_fields f on f.studio_id = u.studio_id and f.subject_id = u.id
             where u.studio_id = j.studio_id and u.job_id = j.id and u.state = 'listed') as "fieldNames",
           exists (select from subjects u where u.studio_id = j.studio_id and u.job_id = j.id and u.state = 'listed'
                      and u.reference is not null) as "hasReferences"
      from jobs j left join organizations o on o.studio_id = j.studio_id and o.id = j.organization_id
     where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  const [row] = rows
  return (
    row && {
      fieldNames: row.fieldNames,
      settings: {
        ...{ format: 'pspa', ...formatDefaults.pspa, template: defaultTemplate, usesOrderCrops: true },
        ...{ volume: volumeFromName(row.name), fields: defaultFieldSources(row), extraFields: [], retakesOf: null },
      },
    }
  )
}
