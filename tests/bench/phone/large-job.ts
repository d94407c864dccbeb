import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Mutation, mutationVersion } from '#domain/cart/mutation.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import type { Db } from '#server/database/database.ts'

/** The numbers of images and packages for one subject, and of lines in the cart. */
export const largeJob = { images: 500, packages: 60, lines: 40 }

const listColumns = async (db: Db, table: string): Promise<string> => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = ${table} and column_name not in ('id', 'position')`.execute(db)
  return rows.map(({ name }) => name).join(', ')
}

/** Adds images for Ada and packages to her job by copying existing ones. */
export const enlargeDemoJob = async (db: Db): Promise<void> => {
  const images = sql.raw(await listColumns(db, 'image_lookups'))
  await sql`
    insert into image_lookups (${images}, position)
    select ${images}, 100 + n from generate_series(1, ${largeJob.images}::integer) n
      cross join lateral (
        select i.* from image_lookups i
          join access_codes a on a.studio_id = i.studio_id and a.subject_id = i.subject_id and a.code = 'ADALVL'
         where i.kind = 'hosted-individual' order by i.id offset n % 4 limit 1) i`.execute(db)
  const packages = sql.raw(await listColumns(db, 'packages'))
  await sql`
    with first as (
      select p.* from packages p
        join jobs j on j.studio_id = p.studio_id and j.package_set_id = p.package_set_id
        join access_codes a on a.studio_id = j.studio_id and a.job_id = j.id and a.code = 'SPRING'
       order by p.id limit 1
    ), more as (
      insert into packages (${packages}, position)
      select ${packages}, 100 + n from first, generate_series(1, ${largeJob.packages}::integer) n returning studio_id, id
    )
    insert into package_versions (studio_id, package_id, version, name, retail_cost_cents, addon_type, content)
    select m.studio_id, m.id, v.version, v.name, v.retail_cost_cents, v.addon_type, v.content
      from more m, first f join package_versions v on v.studio_id = f.studio_id and v.package_id = f.id`.execute(db)
}

/** Mutations that fill a cart with lines of one package. */
export const addLineMutations = ({ id, version }: Package, subjectId: number, count = largeJob.lines): Mutation[] =>
  Array.from({ length: count }, () => ({
    id: randomUUID(),
    v: mutationVersion,
    at: new Date().toISOString(),
    do: 'line.add',
    lineId: randomUUID(),
    packageId: id,
    packageVersion: version,
    subjectId,
    personId: null,
    quantity: 1,
    greenScreenBackgroundId: null,
    dataFields: [],
    textNodes: [],
    imageNodes: [],
  }))
