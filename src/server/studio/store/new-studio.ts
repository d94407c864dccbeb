import { sql } from 'kysely'
import type { Db, Transaction } from '#server/database/database.ts'

export const takenSlugMessage = 'This address is taken. Please choose another'

/** Whether a studio has a slug, or had it once. `exceptStudioId`: a studio that may take back its own. */
export const isSlugTaken = async (db: Db | Transaction, slug: string, exceptStudioId = 0): Promise<boolean> => {
  const { rows } = await sql<{ isTaken: boolean }>`
    select exists (select from studio_slugs where slug = ${slug} and studio_id <> ${exceptStudioId})
        or exists (select from studios where slug = ${slug} and id <> ${exceptStudioId}) as "isTaken"`.execute(db)
  return rows[0]?.isTaken ?? false
}

/** Gives a studio a slug. Its former ones still lead to it. */
export const reserveSlug = async (tx: Transaction, slug: string, studioId: number): Promise<void> => {
  await tx
    .insertInto('studio_slugs')
    .values({ slug, studio_id: studioId })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .execute()
}

type NewStudio = {
  readonly slug: string
  readonly studioName: string
  readonly accountNumber?: string | undefined
  readonly timeZone?: string | undefined
  readonly platformFeeBasisPoints?: number
}

/** Inserts a studio with the features that new studios have. Returns its id. */
export const insertStudio = async (
  tx: Transaction,
  { slug, studioName, accountNumber, timeZone, platformFeeBasisPoints = 0 }: NewStudio,
): Promise<number> => {
  const { id } = await tx
    .insertInto('studios')
    .values({
      slug,
      name: studioName,
      account_number: accountNumber || null,
      has_rspo_jobs: true,
      platform_fee_basis_points: platformFeeBasisPoints,
      ...(timeZone !== undefined && { time_zone: timeZone }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await reserveSlug(tx, slug, id)
  await sql`insert into studio_features (studio_id, feature_id) select ${id}, id from features where is_default`.execute(
    tx,
  )
  return id
}
