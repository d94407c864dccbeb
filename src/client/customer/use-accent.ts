import { useEffect } from 'react'
import { accentProperties } from '../ui/accent.ts'

/** Gives the page the studio's accent, made readable, while a screen of that studio is shown. */
export const useAccent = (hex: string | null | undefined): void => {
  useEffect(() => {
    const { style } = document.documentElement
    const properties = Object.entries(accentProperties(hex))
    for (const [name, value] of properties) style.setProperty(name, value)
    return () => {
      for (const [name] of properties) style.removeProperty(name)
    }
  }, [hex])
}
