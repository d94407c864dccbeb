import { getOwnPreferences, type UserPreferences } from '#contract/studio/accounts.ts'
import { defaultPreferences } from '#domain/studio/user-preferences.ts'
import { type Reading, useAnswer } from './use-staff-query.ts'

type Preferences = Pick<UserPreferences, 'buildMaximumCropperSize' | 'buildImagesPerRow' | 'useDarkMode'>

/** How the signed-in person likes these screens (section 3); the defaults until the server has said. */
export const usePreferences = (): { preferences: Preferences; reading: Reading<UserPreferences> } => {
  const reading = useAnswer(getOwnPreferences)
  return { preferences: reading.data ?? defaultPreferences, reading }
}
