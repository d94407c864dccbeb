import { getOwnPreferences, type UserPreferences } from '#contract/studio/accounts.ts'
import { defaultUserPreferences } from '#domain/studio/user-account.ts'
import { type QueryResult, useStaffQuery } from './use-staff-query.ts'

type Preferences = Pick<UserPreferences, 'buildMaximumCropperSize' | 'buildImagesPerRow' | 'useDarkMode'>

/** The user's display preferences (section 3); the defaults until they are loaded. */
export const usePreferences = (): { preferences: Preferences; query: QueryResult<UserPreferences> } => {
  const query = useStaffQuery(getOwnPreferences)
  return { preferences: query.data ?? defaultUserPreferences, query }
}
