import { useEffect, useRef } from 'react'
import type { PackageEditor } from './use-package-editor.ts'

/** Whether the field path of an error belongs to the items tab. */
export const isItemsPath = (path: string): boolean => path === 'items' || path.startsWith('items.')

const invalid = '[aria-invalid="true"], [data-missing]'

/** After a rejected save: opens the tab of the first invalid field and moves the focus there. */
export const useFocusInvalidField = (
  { rejections, fields }: Pick<PackageEditor, 'rejections' | 'fields'>,
  openTab: (tab: 'items' | 'details') => void,
) => {
  const form = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per rejected save, not while the fields are corrected
  useEffect(() => {
    if (rejections === 0) return
    if (!form.current?.querySelector(invalid))
      openTab(Object.keys(fields).some((path) => !isItemsPath(path)) ? 'details' : 'items')
    // The fields of the other tab are rendered by the next frame.
    const frame = requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(invalid)?.focus())
    return () => cancelAnimationFrame(frame)
  }, [rejections])
  return form
}
