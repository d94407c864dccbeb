import { ignoring } from '#domain/shared/ignoring.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'theme'

const isTheme = (text: string | null | undefined): text is Theme => themes.some((theme) => theme === text)

/** The theme chosen on this device. The script in index.html applies it before the first paint. */
export const currentTheme = (): Theme => {
  const stored = document.documentElement.dataset.theme
  return isTheme(stored) ? stored : 'system'
}

/** Applies and stores a theme. If storing fails, it is applied anyway. */
export const chooseTheme = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  void ignoring('a browser without storage shows the theme all the same', () =>
    theme === 'system' ? localStorage.removeItem(key) : localStorage.setItem(key, theme),
  )
}
