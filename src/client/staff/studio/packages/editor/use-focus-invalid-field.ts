import { useEffect, useRef } from 'react'
import type { PackageEditor } from './use-package-editor.ts'

/** Whether a problem is about what is in the package, by the path of its field. */
export const isItemsPath = (path: string): boolean => path === 'items' || path.startsWith('items.')

const invalid = '[aria-invalid="true"], [data-missing]'

/** After a save that was refused: opens the tab that has the first missing field, and moves the focus there. */
export const useFocusInvalidField = (
  { rejections, fields }: Pick<PackageEditor, 'rejections' | 'fields'>,
  openTab: (tab: 'items' | 'details') => void,
) => {
  const form = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal, not while the fields are corrected
  useEffect(() => {
    if (rejections === 0) return
    if (!form.current?.querySelector(invalid))
      openTab(Object.keys(fields).some((path) => !isItemsPath(path)) ? 'details' : 'items')
    // The other tab's fields are drawn by then.
    const frame = requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(invalid)?.focus())
    return () => cancelAnimationFrame(frame)
  }, [rejections])
  return form
}
