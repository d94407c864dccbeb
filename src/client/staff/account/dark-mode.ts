import type { UserPreferences } from '#contract/studio/accounts.ts'
import { chooseTheme, currentTheme } from '#ui/theme/theme.ts'

/**
 * Applies the user's dark mode, which follows them to every device. Whether light mode is fixed or follows the system is a setting of the
 * device.
 */
export const applyDarkMode = ({ useDarkMode }: Pick<UserPreferences, 'useDarkMode'>): void => {
  if (useDarkMode) chooseTheme('dark')
  else if (currentTheme() === 'dark') chooseTheme('system')
}
