import { useEffect } from 'react'

const properties = [
  '--studio-accent-light',
  '--studio-accent-dark',
  '--studio-accent-ink-light',
  '--studio-accent-ink-dark',
] as const

/**
 * Applies the studio's accent, made readable: a colour sets it, null removes it, undefined (not loaded yet) keeps it.
 * Not removed on unmount, so that nothing flickers between two screens of one studio; screens without a studio pass
 * null.
 */
export const useAccent = (hex: string | null | undefined): void => {
  useEffect(() => {
    if (hex === undefined) return
    let isCurrent = true
    const { style } = document.documentElement
    const apply = async () => {
      const readable: Record<string, string> = hex ? (await import('./accent.ts')).accentProperties(hex) : {}
      if (!isCurrent) return
      for (const property of properties) {
        const value = readable[property]
        if (value) style.setProperty(property, value)
        else style.removeProperty(property)
      }
    }
    void apply()
    return () => {
      isCurrent = false
    }
  }, [hex])
}
