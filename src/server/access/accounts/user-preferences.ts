import type { PreferencesChange, UserPreferences } from '#contract/studio/accounts.ts'
import { defaultUserPreferences } from '#domain/studio/user-account.ts'
import type { Db } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'

const columns = [
  'id',
  'user_id as userId',
  'build_maximum_cropper_size as buildMaximumCropperSize',
  'build_images_per_row as buildImagesPerRow',
  'use_dark_mode as useDarkMode',
] as const

/** A user's preferences, created on the first read; undefined where the user does not exist any more. */
export const readPreferences = async (db: Db, userId: number): Promise<UserPreferences | undefined> => {
  const query = db.selectFrom('user_preferences').select(columns).where('user_id', '=', userId)
  const preferences = await query.executeTakeFirst()
  if (preferences) return preferences
  const { buildMaximumCropperSize, buildImagesPerRow, useDarkMode } = defaultUserPreferences
  await db
    .insertInto('user_preferences')
    .columns(['user_id', 'build_maximum_cropper_size', 'build_images_per_row', 'use_dark_mode'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select(['id', eb.val(buildMaximumCropperSize).as('size'), eb.val(buildImagesPerRow).as('per_row')])
        .select(eb.val(useDarkMode).as('dark'))
        .where('id', '=', userId)
        .where('disabled_at', 'is', null),
    )
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
  return await query.executeTakeFirst()
}

/** Changes only the given preferences. */
export const changePreferences = async (
  { db, clock }: Deps,
  userId: number,
  { BuildMaximumCropperSize, BuildImagesPerRow, UseDarkMode }: PreferencesChange,
): Promise<UserPreferences | undefined> => {
  if (!(await readPreferences(db, userId))) return undefined
  return await db
    .updateTable('user_preferences')
    .set({
      ...(BuildMaximumCropperSize !== undefined && { build_maximum_cropper_size: BuildMaximumCropperSize }),
      ...(BuildImagesPerRow !== undefined && { build_images_per_row: BuildImagesPerRow }),
      ...(UseDarkMode !== undefined && { use_dark_mode: UseDarkMode }),
      updated_at: clock(),
    })
    .where('user_id', '=', userId)
    .returning(columns)
    .executeTakeFirst()
}
