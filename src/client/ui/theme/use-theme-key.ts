import { useSyncExternalStore } from 'react'

const prefersDark = () => window.matchMedia('(prefers-color-scheme: dark)')

const subscribe = (onChange: () => void): (() => void) => {
  const query = prefersDark()
  const rootAttributes = new MutationObserver(onChange)
  query.addEventListener('change', onChange)
  rootAttributes.observe(document.documentElement, { attributeFilter: ['data-theme', 'style'] })
  return () => {
    query.removeEventListener('change', onChange)
    rootAttributes.disconnect()
  }
}

const themeKey = (): string => {
  const { dataset, style } = document.documentElement
  return [dataset.theme, prefersDark().matches, style.cssText].join(' ')
}

/**
 * A text that differs whenever the colors of the theme may differ: the chosen theme, that of the device, or the studio's
 * accent. For what does not follow style sheets, such as a canvas.
 */
export const useThemeKey = (): string => useSyncExternalStore(subscribe, themeKey)
