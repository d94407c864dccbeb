import { useEffect } from 'react'

const properties = [
  '--studio-accent-light',
  '--studio-accent-dark',
  '--studio-accent-ink-light',
  '--studio-accent-ink-dark',
] as const

/**
 * Gives the page the studio's accent, made readable: a colour sets it, null takes it away, undefined (not known yet) leaves it. It is
 * not taken back on leaving, so that nothing flickers between two screens of one studio; screens of nobody's say null.
 */
export const useAccent = (hex: string | null | undefined): void => {
  useEffect(() => {
    if (hex === undefined) return
    let wanted = true
    const { style } = document.documentElement
    const apply = async () => {
      const readable: Record<string, string> = hex ? (await import('./accent.ts')).accentProperties(hex) : {}
      if (!wanted) return
      for (const property of properties) {
        const value = readable[property]
        if (value) style.setProperty(property, value)
        else style.removeProperty(property)
      }
    }
    void apply()
    return () => {
      wanted = false
    }
  }, [hex])
}
