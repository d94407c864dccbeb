import type { UserPreferences } from '#contract/studio/accounts.ts'
import { chooseTheme, currentTheme } from '#ui/theme/theme.ts'

/** Dark mode is the person's, wherever they sign in; whether it is light by itself or with the device is each device's own. */
export const applyDarkMode = ({ useDarkMode }: Pick<UserPreferences, 'useDarkMode'>): void => {
  if (useDarkMode) chooseTheme('dark')
  else if (currentTheme() === 'dark') chooseTheme('system')
}
